// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/sweep/point.hpp"

#include "kernels/attention/cuda/tunable_kernel.cuh"

namespace kernels::attention {

TunableKernel point_kernel(DataType type) {
  return type == DataType::fp16 ? tunable_kernel<__half, kPointDepth, kPoint>()
                                : tunable_kernel<__nv_bfloat16, kPointDepth, kPoint>();
}

}  // namespace kernels::attention

// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/cuda/tunable_kernel.cuh"

namespace kernels::attention {

std::span<const TunableKernel> tunable_kernels_bf16() { return tunable_kernels_of<__nv_bfloat16>(); }

}  // namespace kernels::attention

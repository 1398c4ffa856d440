// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/cuda/tunable_kernel.cuh"

namespace kernels::attention {

std::span<const TunableKernel> tunable_kernels_fp16() { return tunable_kernels_of<__half>(); }

}  // namespace kernels::attention

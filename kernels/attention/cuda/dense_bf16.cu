// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/cuda/wgmma_kernel.cuh"

namespace kernels::attention {

std::span<const WgmmaForm> dense_forms_bf16() { return dense_forms_of<__nv_bfloat16>(); }

}  // namespace kernels::attention

// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/cuda/wgmma_kernel.cuh"

namespace kernels::attention {

std::span<const WgmmaForm> wgmma_forms_bf16() { return wgmma_forms_of<__nv_bfloat16>(); }

}  // namespace kernels::attention

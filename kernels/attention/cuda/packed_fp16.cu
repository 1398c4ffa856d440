// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/cuda/wgmma_kernel.cuh"

namespace kernels::attention {

std::span<const WgmmaForm> packed_forms_fp16() { return packed_forms_of<__half>(); }

}  // namespace kernels::attention

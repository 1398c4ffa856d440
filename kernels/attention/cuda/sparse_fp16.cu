// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/cuda/wgmma_kernel.cuh"

namespace kernels::attention {

std::span<const WgmmaForm> sparse_forms_fp16() { return sparse_forms_of<__half>(); }

}  // namespace kernels::attention

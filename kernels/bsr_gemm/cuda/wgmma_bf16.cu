// SPDX-License-Identifier: Apache-2.0
#include "kernels/bsr_gemm/cuda/wgmma_kernel.cuh"

namespace kernels::bsr {

std::span<const WgmmaKernel> wgmma_kernels_bf16() { return wgmma_entries<__nv_bfloat16>(); }

}  // namespace kernels::bsr

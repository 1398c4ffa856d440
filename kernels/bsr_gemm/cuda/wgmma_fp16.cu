// SPDX-License-Identifier: Apache-2.0
#include "kernels/bsr_gemm/cuda/wgmma_kernel.cuh"

namespace kernels::bsr {

std::span<const WgmmaKernel> wgmma_kernels_fp16() { return wgmma_entries<__half>(); }

}  // namespace kernels::bsr

// SPDX-License-Identifier: Apache-2.0
#pragma once

// C = A B for row-major matrices of any size: A is m x k, B is k x n. Sums are kept in fp32.

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "kernels/gemm/gemm_config.hpp"

namespace kernels {

inline constexpr int kHgemmThreads = 256, kSgemmThreads = 256;

// On the tensor cores.
void hgemm(const __half* a, const __half* b, float* c, int m, int n, int k, GemmConfig config, cudaStream_t stream);

// On the CUDA cores.
void sgemm(const float* a, const float* b, float* c, int m, int n, int k, GemmConfig config, cudaStream_t stream);

}  // namespace kernels

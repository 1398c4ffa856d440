// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm/gemm.hpp"

namespace kernels {
namespace {

// One block computes kTile x kTile of C, one thread kEach x kEach of it as interleaved strips, so that neighbouring
// threads read neighbouring banks.
template <int kTile>
__global__ void __launch_bounds__(kSgemmThreads)
    sgemm_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n, int k) {
  constexpr int kSide = 16, kEach = kTile / kSide, kLoads = kTile * kGemmDepth / kSgemmThreads;
  static_assert(kSide * kSide == kSgemmThreads, "16 x 16 threads share a tile");
  __shared__ float a_tile[kGemmDepth][kTile + 1], b_tile[kGemmDepth][kTile];
  const int row0 = blockIdx.y * kTile, column0 = blockIdx.x * kTile;
  const int tx = threadIdx.x % kSide, ty = threadIdx.x / kSide;
  float sums[kEach][kEach] = {};

  for (int k0 = 0; k0 < k; k0 += kGemmDepth) {
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const int at = threadIdx.x + i * kSgemmThreads;
      const int a_row = at / kGemmDepth, a_k = at % kGemmDepth, b_k = at / kTile, b_column = at % kTile;
      const bool a_inside = row0 + a_row < m && k0 + a_k < k, b_inside = k0 + b_k < k && column0 + b_column < n;
      a_tile[a_k][a_row] = a_inside ? a[static_cast<std::size_t>(row0 + a_row) * k + k0 + a_k] : 0.0f;
      b_tile[b_k][b_column] = b_inside ? b[static_cast<std::size_t>(k0 + b_k) * n + column0 + b_column] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int inner = 0; inner < kGemmDepth; ++inner) {
      float left[kEach], right[kEach];
#pragma unroll
      for (int i = 0; i < kEach; ++i) left[i] = a_tile[inner][ty + i * kSide];
#pragma unroll
      for (int j = 0; j < kEach; ++j) right[j] = b_tile[inner][tx + j * kSide];
#pragma unroll
      for (int i = 0; i < kEach; ++i)
#pragma unroll
        for (int j = 0; j < kEach; ++j) sums[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i)
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const int row = row0 + ty + i * kSide, column = column0 + tx + j * kSide;
      if (row < m && column < n) c[static_cast<std::size_t>(row) * n + column] = sums[i][j];
    }
}

}  // namespace

void sgemm(const float* a, const float* b, float* c, int m, int n, int k, GemmConfig config, cudaStream_t stream) {
  const dim3 grid(config.blocks_n, config.blocks_m);
  if (config.tile == 128) {
    sgemm_kernel<128><<<grid, kSgemmThreads, 0, stream>>>(a, b, c, m, n, k);
  } else {
    sgemm_kernel<64><<<grid, kSgemmThreads, 0, stream>>>(a, b, c, m, n, k);
  }
}

}  // namespace kernels

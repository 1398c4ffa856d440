// SPDX-License-Identifier: Apache-2.0
#include <cuda_pipeline.h>
#include <mma.h>

#include "kernels/gemm/gemm.hpp"

namespace kernels {
namespace {

namespace wmma = nvcuda::wmma;

constexpr int kFragment = 16, kWarp = 32, kPad = 8;  // the padding shifts the banks and keeps fragments aligned
constexpr int kDepth = 2 * kGemmDepth, kStages = 2;
constexpr int kVector = 8;  // halves of one 16-byte access

// Eight warps share a block's tile: 4 x 2 of them, each with its own part.
template <int kTile>
struct Tiles {
  __half a[kStages][kTile][kDepth + kPad];
  __half b[kStages][kDepth][kTile + kPad];
};

struct Matrices {
  const __half *a, *b;
  int m, n, k;
};

// One 16-byte piece of a row of `columns` elements; what lies outside becomes zero.
template <bool kAligned>
__device__ void load_piece(__half* to, const __half* matrix, int rows, int columns, int row, int column) {
  if constexpr (kAligned) {
    const bool inside = row < rows && column < columns;
    const std::size_t at = inside ? static_cast<std::size_t>(row) * columns + column : 0;
    __pipeline_memcpy_async(to, matrix + at, sizeof(uint4), inside ? 0 : sizeof(uint4));
  } else {
    for (int i = 0; i < kVector; ++i) {
      const bool inside = row < rows && column + i < columns;
      to[i] = inside ? matrix[static_cast<std::size_t>(row) * columns + column + i] : __half(0.0f);
    }
  }
}

template <int kTile, bool kAligned>
__device__ void load_step(Tiles<kTile>& tiles, int stage, const Matrices& from, int row0, int column0, int k0) {
  constexpr int kPieces = kTile * kDepth / kVector;
  for (int i = threadIdx.x; i < kPieces; i += kHgemmThreads) {
    const int a_row = i / (kDepth / kVector), a_k = i % (kDepth / kVector) * kVector;
    load_piece<kAligned>(&tiles.a[stage][a_row][a_k], from.a, from.m, from.k, row0 + a_row, k0 + a_k);
    const int b_k = i / (kTile / kVector), b_column = i % (kTile / kVector) * kVector;
    load_piece<kAligned>(&tiles.b[stage][b_k][b_column], from.b, from.k, from.n, k0 + b_k, column0 + b_column);
  }
  __pipeline_commit();
}

using Sums = wmma::fragment<wmma::accumulator, kFragment, kFragment, kFragment, float>;

// Through shared memory, so that tiles at the matrix's edge are cut.
__device__ void store(const Sums& sums, float* staging, float* c, int m, int n, int row0, int column0) {
  wmma::store_matrix_sync(staging, sums, kFragment, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x % kWarp; i < kFragment * kFragment; i += kWarp) {
    const int row = row0 + i / kFragment, column = column0 + i % kFragment;
    if (row < m && column < n) c[static_cast<std::size_t>(row) * n + column] = staging[i];
  }
  __syncwarp();
}

template <int kTile, bool kAligned>
__global__ void __launch_bounds__(kHgemmThreads) hgemm_kernel(Matrices from, float* __restrict__ c) {
  constexpr int kWarpRows = kTile / 4, kWarpColumns = kTile / 2;
  constexpr int kDown = kWarpRows / kFragment, kAcross = kWarpColumns / kFragment;
  __shared__ alignas(128) Tiles<kTile> tiles;
  const int row0 = blockIdx.y * kTile, column0 = blockIdx.x * kTile;
  const int warp = threadIdx.x / kWarp, warp_row = warp / 2 * kWarpRows, warp_column = warp % 2 * kWarpColumns;
  Sums sums[kDown][kAcross];
  for (auto& across : sums)
    for (auto& sum : across) wmma::fill_fragment(sum, 0.0f);

  load_step<kTile, kAligned>(tiles, 0, from, row0, column0, 0);
  int stage = 0;
  for (int k0 = 0; k0 < from.k; k0 += kDepth, stage ^= 1) {
    const bool more = k0 + kDepth < from.k;
    if (more) load_step<kTile, kAligned>(tiles, stage ^ 1, from, row0, column0, k0 + kDepth);
    __pipeline_wait_prior(more ? 1 : 0);
    __syncthreads();
#pragma unroll
    for (int inner = 0; inner < kDepth; inner += kFragment) {
      wmma::fragment<wmma::matrix_a, kFragment, kFragment, kFragment, __half, wmma::row_major> left[kDown];
      wmma::fragment<wmma::matrix_b, kFragment, kFragment, kFragment, __half, wmma::row_major> right[kAcross];
#pragma unroll
      for (int i = 0; i < kDown; ++i)
        wmma::load_matrix_sync(left[i], &tiles.a[stage][warp_row + i * kFragment][inner], kDepth + kPad);
#pragma unroll
      for (int j = 0; j < kAcross; ++j)
        wmma::load_matrix_sync(right[j], &tiles.b[stage][inner][warp_column + j * kFragment], kTile + kPad);
#pragma unroll
      for (int i = 0; i < kDown; ++i)
#pragma unroll
        for (int j = 0; j < kAcross; ++j) wmma::mma_sync(sums[i][j], left[i], right[j], sums[i][j]);
    }
    __syncthreads();  // before the next step overwrites this stage; after the last, before the tiles become staging
  }
  float* staging = reinterpret_cast<float*>(&tiles) + warp * kFragment * kFragment;
#pragma unroll
  for (int i = 0; i < kDown; ++i)
#pragma unroll
    for (int j = 0; j < kAcross; ++j)
      store(sums[i][j], staging, c, from.m, from.n, row0 + warp_row + i * kFragment,
            column0 + warp_column + j * kFragment);
}

template <int kTile>
void launch(const Matrices& from, float* c, dim3 grid, cudaStream_t stream) {
  if (from.n % kVector == 0 && from.k % kVector == 0) {
    hgemm_kernel<kTile, true><<<grid, kHgemmThreads, 0, stream>>>(from, c);
  } else {
    hgemm_kernel<kTile, false><<<grid, kHgemmThreads, 0, stream>>>(from, c);
  }
}

}  // namespace

void hgemm(const __half* a, const __half* b, float* c, int m, int n, int k, GemmConfig config, cudaStream_t stream) {
  const dim3 grid(config.blocks_n, config.blocks_m);
  const Matrices from{a, b, m, n, k};
  if (config.tile == 128) {
    launch<128>(from, c, grid, stream);
  } else {
    launch<64>(from, c, grid, stream);
  }
}

}  // namespace kernels

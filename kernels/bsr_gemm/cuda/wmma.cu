// SPDX-License-Identifier: Apache-2.0
// On the tensor cores through the portable instructions: eight warps share a tile of a block row, and a slice of the
// block and of B is copied while the one before is multiplied.
#include <cuda_pipeline.h>
#include <mma.h>

#include "kernels/bsr_gemm/cuda/device_pattern.hpp"
#include "kernels/bsr_gemm/cuda/plain.cuh"
#include "kernels/bsr_gemm/cuda/variants.hpp"

namespace kernels::bsr {
namespace {

namespace wmma = nvcuda::wmma;

constexpr int kThreads = 256, kLanes = 32, kColumns = 128, kDepth = 32, kStages = 2, kFragment = 16;
constexpr int kVector = 8;  // elements of one 16-byte access
constexpr int kPad = 8;     // shifts the banks and keeps fragments aligned

template <class T, int kRows>
struct Tiles {
  T a[kStages][kRows][kDepth + kPad];
  T b[kStages][kDepth][kColumns + kPad];
};

// One 16-byte piece of a row of `size` elements; what lies outside becomes zero.
template <class T, bool kAligned>
__device__ void load_piece(T* to, const T* row, int at, int size) {
  if constexpr (kAligned) {
    const bool inside = at < size;
    __pipeline_memcpy_async(to, inside ? row + at : row, sizeof(uint4), inside ? 0 : sizeof(uint4));
  } else {
    for (int i = 0; i < kVector; ++i) to[i] = at + i < size ? row[at + i] : T(0.0f);
  }
}

// Which slice of which block is next.
struct Step {
  int block, k;
};

template <class T, int kRows, bool kAligned>
__device__ void load_step(Tiles<T, kRows>& tiles, int stage, const Matrices<T>& given, Step step, int row0,
                          int column0) {
  const T* a = given.values + static_cast<std::size_t>(step.block) * given.block_rows * given.block_columns;
  const T* b = given.b + static_cast<std::size_t>(given.block_column[step.block]) * given.block_columns * given.n;
  constexpr int kAPieces = kRows * kDepth / kVector, kBPieces = kDepth * kColumns / kVector;
  for (int i = threadIdx.x; i < kAPieces; i += kThreads) {
    const int row = i / (kDepth / kVector), k = i % (kDepth / kVector) * kVector;
    const int size = row0 + row < given.block_rows ? given.block_columns : 0;
    const T* from = a + (size > 0 ? row0 + row : 0) * given.block_columns;
    load_piece<T, kAligned>(&tiles.a[stage][row][k], from, step.k + k, size);
  }
  for (int i = threadIdx.x; i < kBPieces; i += kThreads) {
    const int k = i / (kColumns / kVector), column = i % (kColumns / kVector) * kVector;
    const int size = step.k + k < given.block_columns ? given.n : 0;
    const T* from = b + static_cast<std::size_t>(size > 0 ? step.k + k : 0) * given.n;
    load_piece<T, kAligned>(&tiles.b[stage][k][column], from, column0 + column, size);
  }
  __pipeline_commit();
}

using Sums = wmma::fragment<wmma::accumulator, kFragment, kFragment, kFragment, float>;

template <class T, int kRows>
__device__ void multiply(const Tiles<T, kRows>& tiles, int stage, int row, int column, Sums (&sums)[kRows / 32][2]) {
#pragma unroll
  for (int k = 0; k < kDepth; k += kFragment) {
    wmma::fragment<wmma::matrix_a, kFragment, kFragment, kFragment, T, wmma::row_major> left[kRows / 32];
    wmma::fragment<wmma::matrix_b, kFragment, kFragment, kFragment, T, wmma::row_major> right[2];
#pragma unroll
    for (int i = 0; i < kRows / 32; ++i)
      wmma::load_matrix_sync(left[i], &tiles.a[stage][row + i * kFragment][k], kDepth + kPad);
#pragma unroll
    for (int j = 0; j < 2; ++j)
      wmma::load_matrix_sync(right[j], &tiles.b[stage][k][column + j * kFragment], kColumns + kPad);
#pragma unroll
    for (int i = 0; i < kRows / 32; ++i)
#pragma unroll
      for (int j = 0; j < 2; ++j) wmma::mma_sync(sums[i][j], left[i], right[j], sums[i][j]);
  }
}

// Through shared memory, so that tiles at the matrix's edge are cut.
template <class T>
__device__ void store(const Sums& sums, float* staging, const Matrices<T>& given, int block_row, int row0,
                      int column0) {
  wmma::store_matrix_sync(staging, sums, kFragment, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x % kLanes; i < kFragment * kFragment; i += kLanes) {
    const int row = row0 + i / kFragment, column = column0 + i % kFragment;
    const std::size_t at = static_cast<std::size_t>(block_row) * given.block_rows + row;
    if (row < given.block_rows && column < given.n) given.c[at * given.n + column] = rounded<T>(staging[i]);
  }
  __syncwarp();
}

template <class T, int kRows, bool kAligned>
__global__ void __launch_bounds__(kThreads) wmma_kernel(Matrices<T> given, int tiles_of_row) {
  __shared__ alignas(128) Tiles<T, kRows> tiles;
  const int block_row = blockIdx.x / tiles_of_row, row0 = blockIdx.x % tiles_of_row * kRows;
  const int column0 = blockIdx.y * kColumns, warp = threadIdx.x / kLanes;
  const int warp_row = warp / 4 * (kRows / 2), warp_column = warp % 4 * 32;
  Sums sums[kRows / 32][2];
  for (auto& row : sums)
    for (auto& sum : row) wmma::fill_fragment(sum, 0.0f);

  const int last = given.row_begin[block_row + 1];
  Step step{given.row_begin[block_row], 0};
  if (step.block < last) load_step<T, kRows, kAligned>(tiles, 0, given, step, row0, column0);
  for (int stage = 0; step.block < last; stage ^= 1) {
    step.k += kDepth;
    if (step.k >= given.block_columns) step = {step.block + 1, 0};
    const bool more = step.block < last;
    if (more) load_step<T, kRows, kAligned>(tiles, stage ^ 1, given, step, row0, column0);
    __pipeline_wait_prior(more ? 1 : 0);
    __syncthreads();
    multiply<T, kRows>(tiles, stage, warp_row, warp_column, sums);
    __syncthreads();  // before the next step overwrites this stage; after the last, before the tiles become staging
  }
  float* staging = reinterpret_cast<float*>(&tiles) + warp * kFragment * kFragment;
#pragma unroll
  for (int i = 0; i < kRows / 32; ++i)
#pragma unroll
    for (int j = 0; j < 2; ++j)
      store(sums[i][j], staging, given, block_row, row0 + warp_row + i * kFragment,
            column0 + warp_column + j * kFragment);
}

template <class T, int kRows>
Launch prepare(const Problem& problem) {
  const Matrices<T> given = matrices_of<T>(problem);
  const int tiles_of_row = static_cast<int>(parts(given.block_rows, kRows));
  const dim3 grid(static_cast<unsigned>(problem.pattern->block_row_count() * tiles_of_row), parts(problem.n, kColumns));
  const bool aligned = given.n % kVector == 0 && given.block_columns % kVector == 0;
  return [=](cudaStream_t stream) {
    if (aligned) {
      wmma_kernel<T, kRows, true><<<grid, kThreads, 0, stream>>>(given, tiles_of_row);
    } else {
      wmma_kernel<T, kRows, false><<<grid, kThreads, 0, stream>>>(given, tiles_of_row);
    }
  };
}

template <class T>
Launch prepare_for(const Problem& problem) {
  return problem.pattern->block_rows > 32 ? prepare<T, 64>(problem) : prepare<T, 32>(problem);
}

}  // namespace

Launch prepare_wmma(const Problem& problem) {
  if (problem.pattern->block_column.empty() || problem.n == 0) return clearing(problem);
  return problem.type == DataType::fp16 ? prepare_for<__half>(problem) : prepare_for<__nv_bfloat16>(problem);
}

}  // namespace kernels::bsr

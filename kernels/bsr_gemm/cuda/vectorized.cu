// SPDX-License-Identifier: Apache-2.0
// The third generation: 512 threads bring a slice of the block and of B into shared memory, 16 bytes at a time where
// rows allow it, and each thread keeps a small tile of C in registers.
#include "kernels/bsr_gemm/cuda/device_pattern.hpp"
#include "kernels/bsr_gemm/cuda/plain.cuh"
#include "kernels/bsr_gemm/cuda/variants.hpp"

namespace kernels::bsr {
namespace {

constexpr int kThreads = 512, kRows = 64, kColumns = 256, kDepth = 16;
constexpr int kMyRows = 8, kMyColumns = 4;  // a thread's tile: 8 x 64 threads cover the block's
constexpr int kVector = 8;                  // elements of one 16-byte access
static_assert(kRows / kMyRows * (kColumns / kMyColumns) == kThreads, "every thread has a tile");

struct Tiles {
  float a[kDepth][kRows];  // transposed: a thread reads its rows next to each other
  float b[kDepth][kColumns];
};

// Eight elements of a row of `size`, widened; what lies outside is zero.
template <class T, bool kAligned>
__device__ void load_piece(float (&to)[kVector], const T* row, int at, int size) {
  if constexpr (kAligned) {
    uint4 raw{};
    if (at < size) raw = *reinterpret_cast<const uint4*>(row + at);
    const T* elements = reinterpret_cast<const T*>(&raw);
#pragma unroll
    for (int i = 0; i < kVector; ++i) to[i] = widened(elements[i]);
  } else {
#pragma unroll
    for (int i = 0; i < kVector; ++i) to[i] = at + i < size ? widened(row[at + i]) : 0.0f;
  }
}

template <class T, bool kAligned>
__device__ void load_tiles(Tiles& tiles, const Matrices<T>& given, int block, int row0, int column0, int k0) {
  const T* a = given.values + static_cast<std::size_t>(block) * given.block_rows * given.block_columns;
  const std::size_t b_row = static_cast<std::size_t>(given.block_column[block]) * given.block_columns;
  constexpr int kBPieces = kDepth * kColumns / kVector, kAPieces = kRows * kDepth / kVector;
  static_assert(kBPieces == kThreads && kAPieces <= kThreads, "one piece a thread");
  const int thread = threadIdx.x;
  float piece[kVector] = {};
  const int k = thread / (kColumns / kVector), column = thread % (kColumns / kVector) * kVector;
  if (k0 + k < given.block_columns)
    load_piece<T, kAligned>(piece, given.b + (b_row + k0 + k) * given.n, column0 + column, given.n);
#pragma unroll
  for (int i = 0; i < kVector; i += 4)
    *reinterpret_cast<float4*>(&tiles.b[k][column + i]) =
        make_float4(piece[i], piece[i + 1], piece[i + 2], piece[i + 3]);
  if (thread >= kAPieces) return;
  const int row = thread % kRows, a_k = thread / kRows * kVector;
  float left[kVector] = {};
  if (row0 + row < given.block_rows)
    load_piece<T, kAligned>(left, a + (row0 + row) * given.block_columns, k0 + a_k, given.block_columns);
#pragma unroll
  for (int i = 0; i < kVector; ++i) tiles.a[a_k + i][row] = left[i];
}

template <class T, bool kAligned>
__global__ void __launch_bounds__(kThreads) through_shared(Matrices<T> given, int tiles_of_row) {
  __shared__ alignas(16) Tiles tiles;
  const int block_row = blockIdx.x / tiles_of_row, row0 = blockIdx.x % tiles_of_row * kRows;
  const int column0 = blockIdx.y * kColumns;
  const int my_row = threadIdx.x / (kColumns / kMyColumns) * kMyRows;
  const int my_column = threadIdx.x % (kColumns / kMyColumns) * kMyColumns;
  float sums[kMyRows][kMyColumns] = {};
  for (int block = given.row_begin[block_row]; block < given.row_begin[block_row + 1]; ++block)
    for (int k0 = 0; k0 < given.block_columns; k0 += kDepth) {
      load_tiles<T, kAligned>(tiles, given, block, row0, column0, k0);
      __syncthreads();
#pragma unroll
      for (int k = 0; k < kDepth; ++k) {
        const float4 right = *reinterpret_cast<const float4*>(&tiles.b[k][my_column]);
        const float4 upper = *reinterpret_cast<const float4*>(&tiles.a[k][my_row]);
        const float4 lower = *reinterpret_cast<const float4*>(&tiles.a[k][my_row + 4]);
        const float left[kMyRows] = {upper.x, upper.y, upper.z, upper.w, lower.x, lower.y, lower.z, lower.w};
#pragma unroll
        for (int i = 0; i < kMyRows; ++i) {
          sums[i][0] += left[i] * right.x;
          sums[i][1] += left[i] * right.y;
          sums[i][2] += left[i] * right.z;
          sums[i][3] += left[i] * right.w;
        }
      }
      __syncthreads();
    }
#pragma unroll
  for (int i = 0; i < kMyRows; ++i) {
    if (row0 + my_row + i >= given.block_rows) continue;
    const std::size_t row = static_cast<std::size_t>(block_row) * given.block_rows + row0 + my_row + i;
#pragma unroll
    for (int j = 0; j < kMyColumns; ++j) {
      const int column = column0 + my_column + j;
      if (column < given.n) given.c[row * given.n + column] = rounded<T>(sums[i][j]);
    }
  }
}

template <class T>
Launch prepare(const Problem& problem) {
  const Matrices<T> given = matrices_of<T>(problem);
  const int tiles_of_row = static_cast<int>(parts(given.block_rows, kRows));
  const dim3 grid(static_cast<unsigned>(problem.pattern->block_row_count() * tiles_of_row), parts(problem.n, kColumns));
  const bool aligned = given.n % kVector == 0 && given.block_columns % kVector == 0;
  return [=](cudaStream_t stream) {
    if (aligned) {
      through_shared<T, true><<<grid, kThreads, 0, stream>>>(given, tiles_of_row);
    } else {
      through_shared<T, false><<<grid, kThreads, 0, stream>>>(given, tiles_of_row);
    }
  };
}

}  // namespace

Launch prepare_vectorized(const Problem& problem) {
  if (problem.pattern->block_column.empty() || problem.n == 0) return clearing(problem);
  return problem.type == DataType::fp16 ? prepare<__half>(problem) : prepare<__nv_bfloat16>(problem);
}

}  // namespace kernels::bsr

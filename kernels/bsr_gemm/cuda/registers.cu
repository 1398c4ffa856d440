// SPDX-License-Identifier: Apache-2.0
// The second generation: a thread block goes along a block row and keeps its sums in registers, so that C is written
// once and without atomics.
#include "kernels/bsr_gemm/cuda/device_pattern.hpp"
#include "kernels/bsr_gemm/cuda/plain.cuh"
#include "kernels/bsr_gemm/cuda/variants.hpp"

namespace kernels::bsr {
namespace {

constexpr int kThreads = 128;  // each its own column
constexpr int kRows = 32;      // of the tile, at most those of one block

template <class T>
__global__ void __launch_bounds__(kThreads) along_block_rows(Matrices<T> given, int tiles_of_row) {
  const int block_row = blockIdx.x / tiles_of_row, row0 = blockIdx.x % tiles_of_row * kRows;
  const int column = blockIdx.y * kThreads + threadIdx.x;
  if (column >= given.n) return;
  float sums[kRows] = {};
  for (int block = given.row_begin[block_row]; block < given.row_begin[block_row + 1]; ++block) {
    const T* a = given.values + static_cast<std::size_t>(block) * given.block_rows * given.block_columns;
    const std::size_t b_row = static_cast<std::size_t>(given.block_column[block]) * given.block_columns;
    for (int k = 0; k < given.block_columns; ++k) {
      const float right = widened(given.b[(b_row + k) * given.n + column]);
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        const int row = min(row0 + i, given.block_rows - 1);
        sums[i] += widened(a[row * given.block_columns + k]) * right;
      }
    }
  }
  const std::size_t first = static_cast<std::size_t>(block_row) * given.block_rows + row0;
#pragma unroll
  for (int i = 0; i < kRows; ++i)
    if (row0 + i < given.block_rows) given.c[(first + i) * given.n + column] = rounded<T>(sums[i]);
}

template <class T>
Launch prepare(const Problem& problem) {
  const Matrices<T> given = matrices_of<T>(problem);
  const int tiles_of_row = static_cast<int>(parts(given.block_rows, kRows));
  const dim3 grid(static_cast<unsigned>(problem.pattern->block_row_count() * tiles_of_row), parts(problem.n, kThreads));
  return [=](cudaStream_t stream) { along_block_rows<T><<<grid, kThreads, 0, stream>>>(given, tiles_of_row); };
}

}  // namespace

Launch prepare_registers(const Problem& problem) {
  if (problem.pattern->block_column.empty() || problem.n == 0) return clearing(problem);
  return problem.type == DataType::fp16 ? prepare<__half>(problem) : prepare<__nv_bfloat16>(problem);
}

}  // namespace kernels::bsr

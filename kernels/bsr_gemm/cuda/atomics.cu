// SPDX-License-Identifier: Apache-2.0
// The first generation: one thread block for each non-zero block, which adds its product to C with atomics. The sums
// live in fp32 beside C and are rounded at the end; clearing and rounding are part of the product.
#include "kernels/bsr_gemm/cuda/device_pattern.hpp"
#include "kernels/bsr_gemm/cuda/plain.cuh"
#include "kernels/bsr_gemm/cuda/rounding.hpp"
#include "kernels/bsr_gemm/cuda/variants.hpp"

namespace kernels::bsr {
namespace {

constexpr int kThreads = 128;  // each its own column of B
constexpr int kRows = 16;      // of the block, whose sums a thread holds at a time

template <class T>
__global__ void __launch_bounds__(kThreads)
    add_blocks(Matrices<T> given, const int* __restrict__ block_row, float* __restrict__ sums) {
  const int block = blockIdx.x, column = blockIdx.y * kThreads + threadIdx.x;
  if (column >= given.n) return;
  const T* a = given.values + static_cast<std::size_t>(block) * given.block_rows * given.block_columns;
  const std::size_t b_row = static_cast<std::size_t>(given.block_column[block]) * given.block_columns;
  for (int row0 = 0; row0 < given.block_rows; row0 += kRows) {
    float mine[kRows] = {};
    for (int k = 0; k < given.block_columns; ++k) {
      const float right = widened(given.b[(b_row + k) * given.n + column]);
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        const int row = min(row0 + i, given.block_rows - 1);
        mine[i] += widened(a[row * given.block_columns + k]) * right;
      }
    }
    const std::size_t first = static_cast<std::size_t>(block_row[block]) * given.block_rows + row0;
#pragma unroll
    for (int i = 0; i < kRows; ++i)
      if (row0 + i < given.block_rows) atomicAdd(&sums[(first + i) * given.n + column], mine[i]);
  }
}

template <class T>
Launch prepare(const Problem& problem) {
  const BsrMatrix& pattern = *problem.pattern;
  std::vector<int> rows(pattern.block_column.size());
  for (int row = 0; row < pattern.block_row_count(); ++row)
    for (int block = pattern.row_begin[row]; block < pattern.row_begin[row + 1]; ++block) rows[block] = row;
  const std::size_t count = static_cast<std::size_t>(pattern.rows) * problem.n;
  auto block_row = std::make_shared<bench::DeviceMemory>(DevicePattern::copied(rows));
  auto sums = std::make_shared<bench::DeviceMemory>(count * sizeof(float));
  const Matrices<T> given = matrices_of<T>(problem);
  const DataType type = problem.type;
  const dim3 grid(static_cast<unsigned>(rows.size()), parts(problem.n, kThreads));
  return [=](cudaStream_t stream) {
    auto* all = static_cast<float*>(sums->data());
    bench::check(cudaMemsetAsync(all, 0, sums->bytes(), stream), "clearing the sums");
    add_blocks<T><<<grid, kThreads, 0, stream>>>(given, static_cast<const int*>(block_row->data()), all);
    round_sums(type, all, given.c, count, stream);
  };
}

}  // namespace

Launch prepare_atomics(const Problem& problem) {
  if (problem.pattern->block_column.empty() || problem.n == 0) return clearing(problem);
  return problem.type == DataType::fp16 ? prepare<__half>(problem) : prepare<__nv_bfloat16>(problem);
}

}  // namespace kernels::bsr

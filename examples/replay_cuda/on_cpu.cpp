// SPDX-License-Identifier: Apache-2.0
// Runs the vectorized kernel of one of the replay's commits on the CPU, one thread for each of a thread block's, and
// prints its error on two shapes as the check program would: what a GPU answers, where there is none.
// tools/gpu/replay_steps_test.py builds it against the commit's tree; KERNEL is the device code, cut out of its file.
#include <barrier>
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

#include "kernels/bsr_gemm/cuda/plain.cuh"
#include "kernels/bsr_gemm/generate.hpp"
#include "kernels/bsr_gemm/reference.hpp"

#undef __global__
#undef __device__
#undef __launch_bounds__
#define __global__
#define __device__
#define __launch_bounds__(...)
#define __shared__ static  // blocks run one after the other

thread_local uint3 thread_index;
uint3 block_index;
#define threadIdx thread_index
#define blockIdx block_index

namespace kernels::bsr {

std::barrier<>* of_block;
void __syncthreads() { of_block->arrive_and_wait(); }

#include KERNEL

double error_of(const Shape& shape, std::uint64_t seed) {
  Operands operands = generate(shape, seed);
  const auto halves = [](std::vector<float>& values) {
    std::vector<__half> made;
    for (float& value : values) value = __half2float(made.emplace_back(__float2half_rn(value)));
    return made;
  };
  const std::vector<__half> values = halves(operands.a.values), b = halves(operands.b);
  std::vector<__half> c(static_cast<std::size_t>(shape.m) * shape.n);
  const BsrMatrix& a = operands.a;
  const Matrices<__half> given{a.row_begin.data(), a.block_column.data(), values.data(), b.data(), c.data(), shape.m,
                               shape.block_rows,   shape.block_columns,   shape.n};
  const int tiles_of_row = static_cast<int>(parts(shape.block_rows, kRows));
  const unsigned rows = a.block_row_count() * tiles_of_row, columns = parts(shape.n, kColumns);
  std::barrier<> in_step(kThreads);
  of_block = &in_step;
  std::vector<std::jthread> threads;
  for (unsigned thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      thread_index = {thread, 0, 0};
      for (unsigned block = 0; block < rows * columns; ++block) {
        __syncthreads();
        if (thread == 0) block_index = {block % rows, block / rows, 0};
        __syncthreads();
        through_shared<__half, true>(given, tiles_of_row);
      }
    });
  threads.clear();

  const Reference reference = reference_product(a, operands.b, shape.n);
  double error_squared = 0, reference_squared = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    const double error = __half2float(c[i]) - reference.sum[i];
    error_squared += error * error;
    reference_squared += reference.sum[i] * reference.sum[i];
  }
  return std::sqrt(error_squared / reference_squared);
}

}  // namespace kernels::bsr

int main() {
  using namespace kernels;
  for (const Shape& shape :
       {Shape{.name = "square", .m = 256, .n = 256, .k = 256, .block_rows = 64, .block_columns = 64, .density = 0.5},
        Shape{.name = "ragged",
        .m = 320,
        .n = 776,
        .k = 256,
        .block_rows = 64,
        .block_columns = 64,
        .density = 0.5,
        .empty_rows = 0.3}})
    std::printf("%s %.9g\n", shape.name, bsr::error_of(shape, 1));
}

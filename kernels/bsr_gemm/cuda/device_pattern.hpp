// SPDX-License-Identifier: Apache-2.0
#pragma once

// Small things that the host code of several variants needs: a pattern's indices on the GPU, and the product with a
// matrix that has no block at all.

#include <memory>
#include <vector>

#include "kernels/bench/cuda.hpp"
#include "kernels/bsr_gemm/cuda/problem.hpp"

namespace kernels::bsr {

class DevicePattern {
 public:
  using Memory = bench::DeviceMemory;

  explicit DevicePattern(const BsrMatrix& pattern)
      : row_begin_(copied(pattern.row_begin)), block_column_(copied(pattern.block_column)) {}

  [[nodiscard]] const int* row_begin() const { return static_cast<const int*>(row_begin_.data()); }
  [[nodiscard]] const int* block_column() const { return static_cast<const int*>(block_column_.data()); }

  template <class T>
  [[nodiscard]] static Memory copied(const std::vector<T>& values) {
    Memory memory(values.size() * sizeof(T));
    bench::check(cudaMemcpy(memory.data(), values.data(), memory.bytes(), cudaMemcpyHostToDevice),
                 "copying to the GPU");
    return memory;
  }

 private:
  Memory row_begin_, block_column_;
};

// C = 0.
[[nodiscard]] inline Launch clearing(const Problem& problem) {
  void* c = problem.c;
  const std::size_t bytes = static_cast<std::size_t>(problem.pattern->rows) * problem.n * 2;
  return [=](cudaStream_t stream) {
    if (bytes > 0) bench::check(cudaMemsetAsync(c, 0, bytes, stream), "clearing C");
  };
}

}  // namespace kernels::bsr

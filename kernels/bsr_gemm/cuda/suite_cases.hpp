// SPDX-License-Identifier: Apache-2.0
#pragma once

// A benchmark of one product: its pattern, operands, counters and sampled errors. For programs on the timing kit.

#include <memory>
#include <string>

#include "kernels/bench/suite.hpp"
#include "kernels/bsr_gemm/cuda/problem.hpp"

namespace kernels::bsr {

// Square operands, or C of size x n and A of size x k; square blocks, each there with the chance `density`.
struct SuiteProblem {
  DataType type = DataType::fp16;
  int size = 0, block = 0;
  double density = 0.125;
  int n = size, k = size;
};

[[nodiscard]] std::shared_ptr<const BsrMatrix> suite_pattern(const SuiteProblem& what);

// Named bsr_gemm/NAME/TYPE/SIZE/bs:BLOCK/density:D, SIZE being MxNxK where these differ. flops count the non-zero
// blocks alone; bytes each operand once.
[[nodiscard]] bench::Case suite_case(const std::string& name, const SuiteProblem& what,
                                     const std::shared_ptr<const BsrMatrix>& pattern,
                                     std::function<Launch(const Problem&)> prepare);

// A product that chooses says what; it takes the configuration that is pinned, where one is.
struct Choice {
  Launch launch;
  std::string configuration;
};
using Choose = std::function<Choice(const Problem& problem, const std::string& pinned)>;
[[nodiscard]] bench::Case suite_case_of_choice(const std::string& name, const SuiteProblem& what,
                                               const std::shared_ptr<const BsrMatrix>& pattern, Choose choose);

}  // namespace kernels::bsr

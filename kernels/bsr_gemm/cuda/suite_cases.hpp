// SPDX-License-Identifier: Apache-2.0
#pragma once

// A benchmark of one product: its pattern, operands, counters and sampled errors. For programs on the timing kit.

#include <memory>
#include <string>

#include "kernels/bench/suite.hpp"
#include "kernels/bsr_gemm/cuda/problem.hpp"

namespace kernels::bsr {

// Square operands and square blocks, each there with the chance `density`.
struct SuiteProblem {
  DataType type = DataType::fp16;
  int size = 0, block = 0;
  double density = 0.125;
};

[[nodiscard]] std::shared_ptr<const BsrMatrix> suite_pattern(const SuiteProblem& what);

// Named bsr_gemm/NAME/TYPE/SIZE/bs:BLOCK/density:D. flops count the non-zero blocks alone; bytes each operand once.
[[nodiscard]] bench::Case suite_case(const std::string& name, const SuiteProblem& what,
                                     const std::shared_ptr<const BsrMatrix>& pattern,
                                     std::function<Launch(const Problem&)> prepare);

}  // namespace kernels::bsr

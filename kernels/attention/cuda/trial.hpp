// SPDX-License-Identifier: Apache-2.0
#pragma once

// One problem on the GPU with its answer in double precision; configurations are run on it and judged. Not
// thread-safe.

#include "kernels/attention/cuda/variants.hpp"
#include "kernels/attention/fuzz.hpp"
#include "kernels/bench/cuda.hpp"
#include "kernels/common/outcome.hpp"

namespace kernels::attention {

class Trial {
 public:
  Trial(DataType type, const CheckProblem& what, std::uint64_t seed);

  // The problem without its output.
  [[nodiscard]] const Problem& problem() const { return problem_; }

  // What two launches leave in memory that was poisoned before each. Throws CudaError.
  [[nodiscard]] Outcome judged(const Configuration& configuration) const;

 private:
  Problem problem_;
  std::uint64_t seed_;
  std::string shape_;
  Expected expected_;
  bench::DeviceMemory q_, k_, v_, first_, second_;  // the last two: offsets, or a pattern
};

}  // namespace kernels::attention

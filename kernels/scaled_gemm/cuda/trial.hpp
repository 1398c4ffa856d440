// SPDX-License-Identifier: Apache-2.0
#pragma once

// One problem on the GPU with its answer in double precision; configurations are run on it and judged. Not thread-safe.

#include <string_view>

#include "kernels/bench/cuda.hpp"
#include "kernels/scaled_gemm/fuzz.hpp"

namespace kernels::scaled {

class Trial {
 public:
  Trial(const CheckProblem& what, std::uint64_t seed);

  // What two launches leave in memory that was poisoned before each. Throws CudaError.
  [[nodiscard]] Outcome judged(std::string_view configuration) const;
  [[nodiscard]] const Shape& shape() const { return problem_.shape; }
  // The largest error so far, in units of the products' magnitude, of elements that are not rounded to less.
  [[nodiscard]] double product_error() const { return product_error_; }

 private:
  void note_product_error(const std::vector<float>& memory) const;

  Problem problem_;
  std::uint64_t seed_;
  std::string text_;
  Expected expected_;
  bench::DeviceMemory a_, b_, a_scales_, b_scales_, groups_;
  mutable double product_error_ = 0;
};

}  // namespace kernels::scaled

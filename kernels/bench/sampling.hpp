// SPDX-License-Identifier: Apache-2.0
#pragma once

// Errors of a large output from a few of its elements, so that a suite may state them in each process. The check
// program, not this, decides whether a kernel is right.

#include <algorithm>
#include <cmath>
#include <functional>

#include "kernels/bench/suite.hpp"

namespace kernels::bench {

inline constexpr std::size_t kSampled = 64;  // elements at most, spread evenly, the last one among them

// An element that is no number counts as 0, as in a check.
[[nodiscard]] inline Errors sampled_errors(const float* output, std::size_t count,
                                           const std::function<double(std::size_t)>& oracle) {
  Errors errors;
  double error_squared = 0, reference_squared = 0;
  const std::size_t samples = std::min(count, kSampled);
  for (std::size_t i = 0; i < samples; ++i) {
    const std::size_t at = (i + 1) * count / samples - 1;
    float out = 0;
    check(cudaMemcpy(&out, output + at, sizeof out, cudaMemcpyDeviceToHost), "reading a sampled element");
    const double expected = oracle(at), error = std::fabs((std::isfinite(out) ? out : 0.0) - expected);
    errors.max_abs = std::max(errors.max_abs, error);
    error_squared += error * error;
    reference_squared += expected * expected;
  }
  errors.rel = std::sqrt(error_squared) / std::max(std::sqrt(reference_squared), 1e-300);
  return errors;
}

}  // namespace kernels::bench

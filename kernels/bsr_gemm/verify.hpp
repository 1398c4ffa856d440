// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs one variant on poisoned, fenced memory and holds the result against the oracle. Prints nothing.

#include <cstdint>
#include <string>

#include "kernels/bsr_gemm/generate.hpp"
#include "kernels/bsr_gemm/variants.hpp"

namespace kernels {

// Bound of |out - ref| relative to the sum of magnitudes, per element, and of the norm of the error relative to the
// norm of the result. Over a few hundred terms a float sum errs by about 1e-6 of it.
inline constexpr double kErrorBound = 1e-5;

struct Outcome {
  std::string name, shape;
  bool passed = false;
  double bound = kErrorBound;
  double max_abs_err = 0;
  double rel_err = 0;           // ||out - ref|| / ||ref||; an element that is no number counts as 0
  std::int64_t first_bad = -1;  // index into C
  std::uint64_t seed = 0;
  std::string error_class;  // wrong_value, not_finite, unwritten or out_of_bounds; empty if passed
  double error_value = 0;   // rel_err of wrong values; of the other classes the number of bad elements
};

[[nodiscard]] Outcome verify(const Variant& variant, const Shape& shape, std::uint64_t seed);

// One line of JSON, without the line's end.
[[nodiscard]] std::string to_json(const Outcome& outcome);

}  // namespace kernels

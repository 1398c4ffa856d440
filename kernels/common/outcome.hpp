// SPDX-License-Identifier: Apache-2.0
#pragma once

// Holds a kernel's output against an oracle of higher precision and tells the kinds of failure apart. Pure: neither
// runs kernels nor prints.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kernels {

inline constexpr std::uint32_t kPoisonBits = 0x7fc0dead;  // a NaN that no arithmetic makes
inline constexpr std::size_t kFence = 64;                 // poisoned elements before and behind the output

// What each element should be, and the sum of the magnitudes that went into it: the measure of its rounding.
struct Expected {
  std::vector<double> value, magnitude;
};

struct Outcome {
  std::string name, shape;
  bool passed = false;
  double bound = 0;
  double max_abs_err = 0;
  double rel_err = 0;           // ||out - ref|| / ||ref||; an element that is no number counts as 0
  std::int64_t first_bad = -1;  // index into the output
  std::uint64_t seed = 0;
  std::string error_class;  // wrong_value, not_finite, unwritten, out_of_bounds or cuda_error; empty if passed
  double error_value = 0;   // rel_err of wrong values; CUDA's error code; of the others the number of bad elements
  std::string text;
};

// `memory` is a fence, the output, a fence. An element is wrong where it errs by more than bound x magnitude.
// Fills all but name, shape and seed.
[[nodiscard]] Outcome judge(std::span<const float> memory, const Expected& expected, double bound);

// One line of JSON, without the line's end.
[[nodiscard]] std::string to_json(const Outcome& outcome);

}  // namespace kernels

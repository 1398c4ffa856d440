// SPDX-License-Identifier: Apache-2.0
#pragma once

// Inputs of the checks, made on the host from a seed. Pure.

#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/bench/random.hpp"

namespace kernels {

// Random values in (-1, 1), none zero, each times a power of two of up to +-scale_bits: adversarial where it is large.
[[nodiscard]] inline std::vector<float> random_inputs(std::uint64_t seed, std::size_t count, int scale_bits = 0) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto spread = static_cast<std::uint64_t>(2 * scale_bits + 1);
    const int exponent = static_cast<int>(bench::random_bits(~seed, i) % spread) - scale_bits;
    values[i] = std::ldexp(bench::random_value(seed, i), exponent);
  }
  return values;
}

}  // namespace kernels

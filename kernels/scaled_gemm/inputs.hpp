// SPDX-License-Identifier: Apache-2.0
#pragma once

// The suite's inputs: element i of the stream `seed`, the same on host and GPU. Operands are even in (-448, 448), as a
// quantiser scales them; scales are about 1/448, so that sums stay near those of values in (-1, 1).

#include "kernels/bench/random.hpp"
#include "kernels/scaled_gemm/codecs.hpp"

namespace kernels::scaled {

[[nodiscard]] KG_HOST_DEVICE inline std::uint8_t operand_at(std::uint64_t seed, std::uint64_t index) {
  return encode_e4m3(kE4m3Max * bench::random_value(seed, index));
}
[[nodiscard]] KG_HOST_DEVICE inline float scale_at(std::uint64_t seed, std::uint64_t index) {
  return (1 + fabsf(bench::random_value(seed, index))) / (1.5F * kE4m3Max);
}

}  // namespace kernels::scaled

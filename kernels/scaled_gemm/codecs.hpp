// SPDX-License-Identifier: Apache-2.0
#pragma once

// Small floating-point formats, exactly, by integer arithmetic: what a byte means and which byte is nearest to a value.
// Pure, for host and device code, so that an oracle and a kernel's inputs share one definition.
//   e4m3: sign, 4 bits of exponent, 3 of mantissa; up to 448; no infinity, two NaNs.
//   e2m1: sign, 2 bits of exponent, 1 of mantissa; up to 6. Two in a byte, the first one low.
//   e8m0: a power of two, 2^-127 to 2^127; 255 is NaN.

#include <cmath>
#include <cstdint>

#include "kernels/hopper/layout.hpp"

namespace kernels::scaled {

inline constexpr float kE4m3Max = 448, kE2m1Max = 6;
inline constexpr std::uint8_t kE4m3Nan = 0x7f, kE8m0Nan = 0xff;

[[nodiscard]] KG_HOST_DEVICE inline float decode_e4m3(std::uint8_t bits) {
  const int exponent = bits >> 3 & 15, mantissa = bits & 7;
  if ((bits & 0x7f) == kE4m3Nan) return nanf("");
  const float size = exponent == 0 ? ldexpf(static_cast<float>(mantissa), -9)
                                   : ldexpf(static_cast<float>(8 + mantissa), exponent - 10);
  return (bits & 0x80) != 0 ? -size : size;
}

// To nearest, ties to even; beyond 448 it is 448, as kernels want it. NaN stays NaN.
[[nodiscard]] KG_HOST_DEVICE inline std::uint8_t encode_e4m3(float value) {
  if (value != value) return kE4m3Nan;
  const std::uint8_t sign = value < 0 || (value == 0 && 1 / value < 0) ? 0x80 : 0;
  const float size = fabsf(value);
  if (size >= kE4m3Max) return sign | 0x7e;
  int exponent = -6;  // of the smallest normal number, whose step subnormal ones share
  if (size >= 0x1p-6f) {
    (void)frexpf(size, &exponent);
    --exponent;
  }
  const int steps = static_cast<int>(rintf(ldexpf(size, 3 - exponent)));  // below 17: a carry moves the exponent up
  return static_cast<std::uint8_t>(sign | (steps < 8 ? steps : (exponent + 6) * 8 + steps));
}

[[nodiscard]] KG_HOST_DEVICE inline float decode_e2m1(std::uint8_t bits) {
  const int exponent = bits >> 1 & 3, mantissa = bits & 1;
  const float size =
      exponent == 0 ? 0.5F * static_cast<float>(mantissa) : ldexpf(static_cast<float>(2 + mantissa), exponent - 2);
  return (bits & 8) != 0 ? -size : size;
}

// A subnormal number of fp32 for 2^-127.
[[nodiscard]] KG_HOST_DEVICE inline float decode_e8m0(std::uint8_t bits) {
  return bits == kE8m0Nan ? nanf("") : ldexpf(1.0F, static_cast<int>(bits) - 127);
}

}  // namespace kernels::scaled

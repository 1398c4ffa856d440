// SPDX-License-Identifier: Apache-2.0
#pragma once

// SplitMix64: a small stated generator, so that a printed seed gives the same numbers on every machine and library.

#include <cstdint>

namespace kernels {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
  }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // [0, 1)
  float symmetric() { return static_cast<float>(2 * unit() - 1); }       // [-1, 1)

 private:
  std::uint64_t state_;
};

}  // namespace kernels

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Benchmark support: the long history that the search and the API are timed with.

#include <cstddef>
#include <random>
#include <vector>

namespace kernelgate::history {

// Log times: a level that moves by up to 2 % every 250 points, noise .4 %.
inline std::vector<double> long_history(std::size_t points) {
  std::mt19937_64 random(20261121);
  std::normal_distribution<double> noise(0, 0.004);
  std::uniform_real_distribution<double> step(-0.02, 0.02);
  std::vector<double> out;
  double level = 0;
  for (std::size_t i = 0; i < points; ++i) {
    if (i % 250 == 249) level += step(random);
    out.push_back(level + noise(random));
  }
  return out;
}

}  // namespace kernelgate::history

// SPDX-License-Identifier: Apache-2.0
#pragma once

// How streaming kernels are launched: enough threads to fill the GPU, each taking as many elements as it then must.

#include <algorithm>
#include <cstddef>

namespace kernels {

struct StreamConfig {
  int blocks = 1, threads = 256;
};

inline constexpr int kStreamVector = 4;  // floats of one 16-byte access
inline constexpr int kStreamBlocksPerMultiprocessor = 8;

[[nodiscard]] constexpr StreamConfig stream_config(std::size_t elements, int multiprocessors) {
  StreamConfig config;
  const std::size_t vectors = (elements + kStreamVector - 1) / kStreamVector;
  const std::size_t wanted = (vectors + config.threads - 1) / config.threads;
  const auto most = static_cast<std::size_t>(multiprocessors) * kStreamBlocksPerMultiprocessor;
  config.blocks = static_cast<int>(std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(most, 1)));
  return config;
}

}  // namespace kernels

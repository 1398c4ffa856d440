// SPDX-License-Identifier: Apache-2.0
#pragma once

// How the softmax is launched: a row is a block's, held in shared memory, and blocks go over the rows in turn.

#include <algorithm>
#include <cstddef>

namespace kernels {

struct SoftmaxConfig {
  int blocks = 1, threads = 128;
  std::size_t shared_bytes = 0;
};

inline constexpr int kSoftmaxColumnsMax = 12000;  // a row in the 48 KiB that every block may have

[[nodiscard]] constexpr SoftmaxConfig softmax_config(std::size_t rows, int columns, int multiprocessors) {
  SoftmaxConfig config;
  while (config.threads < 512 && config.threads * 8 < columns) config.threads *= 2;
  config.shared_bytes = static_cast<std::size_t>(columns) * sizeof(float);
  const std::size_t by_shared = 200 * 1024 / (config.shared_bytes + 1024);
  const std::size_t resident = std::min<std::size_t>(2048 / config.threads, std::max<std::size_t>(by_shared, 1));
  const std::size_t most = resident * static_cast<std::size_t>(multiprocessors);
  config.blocks = static_cast<int>(std::clamp<std::size_t>(rows, 1, std::max<std::size_t>(most, 1)));
  return config;
}

}  // namespace kernels

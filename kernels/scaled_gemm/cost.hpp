// SPDX-License-Identifier: Apache-2.0
#pragma once

// About how long a configuration takes, so that a tuner looks at the likely ones first. Fitted to one H200; pure.

#include "kernels/scaled_gemm/scaled_gemm.hpp"

namespace kernels::scaled {

struct WideTile {
  int rows = 256, columns = 128, cluster = 2;
};
struct NarrowTile {
  int rows = 64, columns = 112, parts = 2;
};

// Of all rows, where groups have fewer.
[[nodiscard]] double predicted_us(const Shape& shape, const WideTile& tile, int multiprocessors);
[[nodiscard]] double predicted_us(const Shape& shape, const NarrowTile& tile, int multiprocessors);

}  // namespace kernels::scaled

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every read of a list is paged: newest first, those with an id below `before` (0: from the
// newest).

#include <algorithm>
#include <cstdint>

#include "core/units/limits.hpp"

namespace kernelgate::db {

struct Page {
  std::int64_t before = 0;
  int limit = limits::kPageDefault;
};

[[nodiscard]] inline std::int64_t first_below(const Page& page) { return page.before > 0 ? page.before : INT64_MAX; }
[[nodiscard]] inline int row_limit(const Page& page) { return std::clamp(page.limit, 1, limits::kPageMax); }

}  // namespace kernelgate::db

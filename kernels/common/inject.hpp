// SPDX-License-Identifier: Apache-2.0
#pragma once

// Slower builds that do real extra work, to calibrate what a gate catches. The problem itself becomes larger, by
// KG_EXTRA_WORK_PERMILLE thousandths; what a benchmark states as its flops and bytes stays. KG_NO_WORK=1 builds
// kernels that are launched on nothing at all. Checks are never built with either.

#include <cstddef>

#ifndef KG_EXTRA_WORK_PERMILLE
#define KG_EXTRA_WORK_PERMILLE 0
#endif
#ifndef KG_NO_WORK
#define KG_NO_WORK 0
#endif

namespace kernels {

static_assert(KG_EXTRA_WORK_PERMILLE >= 0 && KG_EXTRA_WORK_PERMILLE <= 1000, "at most twice the work");

// `size` and the extra work, rounded to whole `unit`s (tiles, rows). `permille` and `none` are the build's.
[[nodiscard]] constexpr std::size_t with_extra_work(std::size_t size, std::size_t unit = 1,
                                                    std::size_t permille = KG_EXTRA_WORK_PERMILLE,
                                                    bool none = KG_NO_WORK != 0) {
  if (none) return 0;
  const std::size_t extra = size * permille;  // in thousandths
  return size + (extra + 500 * unit) / (1000 * unit) * unit;
}

}  // namespace kernels

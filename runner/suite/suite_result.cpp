// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/suite_result.hpp"

#include <algorithm>

namespace kernelgate::suite {

void drop_first(Series& series, std::size_t count) {
  const auto end = series.samples_ns.begin() + static_cast<std::ptrdiff_t>(std::min(count, series.samples_ns.size()));
  series.samples_ns.erase(series.samples_ns.begin(), end);
}

}  // namespace kernelgate::suite

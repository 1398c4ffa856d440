// SPDX-License-Identifier: Apache-2.0
#include "core/stats/false_discovery.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace kernelgate::stats {

Result<std::vector<double>> benjamini_hochberg(std::span<const double> p_values) {
  for (double p : p_values)
    if (!(p >= 0 && p <= 1)) return fail(Errc::invalid, "a p value is outside 0 to 1", "Benjamini-Hochberg");
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p_values[a] > p_values[b]; });
  std::vector<double> out(p_values.size());
  const auto count = static_cast<double>(p_values.size());
  double least = 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double rank = count - static_cast<double>(i);
    least = std::min(least, p_values[order[i]] * count / rank);
    out[order[i]] = least;
  }
  return out;
}

}  // namespace kernelgate::stats

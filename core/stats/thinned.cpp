// SPDX-License-Identifier: Apache-2.0
#include "core/stats/thinned.hpp"

#include "core/stats/summary.hpp"

namespace kernelgate::stats {

std::vector<double> thinned(std::span<const double> samples) {
  const bool even = samples.size() % 2 == 0;
  if (samples.size() <= (even ? 6U : 5U) || !check_sample(samples, "samples")) return {samples.begin(), samples.end()};
  const std::vector<double> ordered = sorted(samples);
  const std::size_t middle = ordered.size() / 2;
  std::vector<double> out{ordered.front(), quantile(ordered, .25).value()};
  if (even) out.push_back(ordered[middle - 1]);
  out.insert(out.end(), {ordered[middle], quantile(ordered, .75).value(), ordered.back()});
  return out;
}

}  // namespace kernelgate::stats

// SPDX-License-Identifier: Apache-2.0
#include "core/decision/rule/session_ratio.hpp"

#include <cassert>
#include <cmath>

#include "core/stats/distributions.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate {

SessionRatio session_ratio(std::span<const double> a, std::span<const double> b) {
  assert(!a.empty() && !b.empty());
  const stats::Moments of_a = stats::moments(a).value(), of_b = stats::moments(b).value();
  const double shift = of_b.mean - of_a.mean;
  SessionRatio out{.ratio = std::exp(shift), .low = {}, .high = {}};
  if (of_a.count < 2 || of_b.count < 2) return out;
  const double va = of_a.variance / of_a.count, vb = of_b.variance / of_b.count, v = va + vb;
  double half = 0;
  if (v > 0) {
    const double degrees = v * v / (va * va / (of_a.count - 1) + vb * vb / (of_b.count - 1));
    half = stats::t_quantile(.995, degrees) * std::sqrt(v);
  }
  out.low = std::exp(shift - half);
  out.high = std::exp(shift + half);
  return out;
}

}  // namespace kernelgate

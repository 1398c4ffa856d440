// SPDX-License-Identifier: Apache-2.0
#include "core/decision/rule/mwu_cliff.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/decision/rule/figures.hpp"
#include "core/stats/cliffs_delta.hpp"
#include "core/stats/mann_whitney.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate {

Verdict judge_mwu_cliff(std::span<const PairTimes> pairs, const Band& band) {
  std::vector<double> base, head;
  for (const PairTimes& pair : pairs) {
    base.push_back(pair.base);
    head.push_back(pair.head);
  }
  return judge_mwu_cliff(base, head, band);
}

Verdict judge_mwu_cliff(std::span<const double> base, std::span<const double> head, const Band& band) {
  if (std::min(base.size(), head.size()) < static_cast<std::size_t>(kRankFiguresFrom)) return Verdict::undecided;
  const double shift = stats::median(head).value() - stats::median(base).value();
  if (std::abs(shift) < band.catch_limit) return Verdict::unchanged;
  const double delta = stats::cliffs_delta(base, head).value().estimate;
  const bool different =
      stats::mann_whitney(base, head).value().p < kMwuAlpha && std::abs(delta) >= kSmallDelta && delta * shift > 0;
  if (different) return shift > 0 ? Verdict::regressed : Verdict::improved;
  return shift > 0 ? Verdict::suspected : Verdict::undecided;
}

}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#include "core/stats/signed_rank.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/stats/distributions.hpp"
#include "core/stats/rank_counts.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::stats {
namespace {

struct Ranked {
  std::vector<std::int64_t> doubled;  // midranks of the absolute values, doubled to be whole numbers
  std::int64_t positive = 0;          // their sum over positive differences
  double tie_term = 0;                // sum of t^3 - t over groups of equal absolute values
};

Ranked rank(std::vector<double> differences) {
  std::sort(differences.begin(), differences.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  Ranked out;
  for (std::size_t i = 0; i < differences.size();) {
    std::size_t end = i;
    while (end < differences.size() && std::abs(differences[end]) == std::abs(differences[i])) ++end;
    const auto midrank = static_cast<std::int64_t>(i + end + 1);
    for (std::size_t k = i; k < end; ++k) {
      out.doubled.push_back(midrank);
      if (differences[k] > 0) out.positive += midrank;
    }
    const auto ties = static_cast<double>(end - i);
    out.tie_term += ties * ties * ties - ties;
    i = end;
  }
  return out;
}

double exact_p(const Ranked& ranked) {
  const std::vector<double> distribution = subset_sum_distribution(ranked.doubled);
  const auto top = static_cast<std::int64_t>(distribution.size()) - 1;  // twice the centre
  const std::int64_t distance = std::abs(2 * ranked.positive - top);
  double p = 0;
  for (std::int64_t s = 0; s <= top; ++s)
    if (std::abs(2 * s - top) >= distance) p += distribution[static_cast<std::size_t>(s)];
  return std::min(1.0, p);
}

double normal_p(const Ranked& ranked, double n) {
  const double variance = n * (n + 1) * (2 * n + 1) / 24 - ranked.tie_term / 48;
  const double distance = std::abs(0.5 * static_cast<double>(ranked.positive) - n * (n + 1) / 4);
  return std::min(1.0, 2 * normal_upper_tail(std::max(0.0, distance - 0.5) / std::sqrt(variance)));
}

}  // namespace

Result<SignedRank> signed_rank(std::span<const double> differences) {
  if (Status ok = check_sample(differences, "differences"); !ok) return pass_on(ok);
  std::vector<double> nonzero;
  for (double d : differences)
    if (d != 0) nonzero.push_back(d);
  SignedRank out;
  out.count = static_cast<int>(nonzero.size());
  if (nonzero.empty()) return out;
  const Ranked ranked = rank(std::move(nonzero));
  out.w = 0.5 * static_cast<double>(ranked.positive);
  out.exact = out.count <= kSignedRankExact;
  out.p = out.exact ? exact_p(ranked) : normal_p(ranked, out.count);
  return out;
}

}  // namespace kernelgate::stats

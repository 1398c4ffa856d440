// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/compare_runs.hpp"

#include <cmath>
#include <map>
#include <utility>

namespace kernelgate {
namespace {

bool timed_both(const ComparedRun& run, const ComparedRun& other) {
  return run.testbed == other.testbed && !other.commit.empty() && run.base_commit == other.commit;
}

std::optional<double> over(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b && *a > 0 && *b > 0 ? std::optional(*a / *b) : std::nullopt;
}

CrossComparison as_judged(const Comparison& one) {
  return {.suite = one.suite,
          .benchmark = one.benchmark,
          .pairing = Pairing::paired,
          .verdict = one.verdict,
          .ratio = one.ratio,
          .ratio_low = one.ratio_low,
          .ratio_high = one.ratio_high,
          .base_median_ns = one.base_median_ns,
          .head_median_ns = one.head_median_ns,
          .tolerate = one.tolerate,
          .catch_limit = one.catch_limit};
}

// The run timed them the other way round: no verdict was given on that.
CrossComparison inverted(const Comparison& one) {
  CrossComparison out = as_judged(one);
  out.verdict.reset();
  out.ratio = over(1, one.ratio);
  out.ratio_low = over(1, one.ratio_high);
  out.ratio_high = over(1, one.ratio_low);
  std::swap(out.base_median_ns, out.head_median_ns);
  return out;
}

// By way of the base that both were paired with: the halves of the two intervals add in quadrature.
void by_common_base(const Comparison& base, const Comparison& head, CrossComparison& out) {
  out.pairing = Pairing::common_base;
  out.ratio = over(head.ratio, base.ratio);
  const auto base_width = over(base.ratio_high, base.ratio_low), head_width = over(head.ratio_high, head.ratio_low);
  if (!base_width || !head_width) return;
  const double half = std::hypot(std::log(*base_width), std::log(*head_width)) / 2;
  out.ratio_low = *out.ratio * std::exp(-half);
  out.ratio_high = *out.ratio * std::exp(half);
}

CrossComparison across(const Comparison* base, const Comparison* head, Pairing pairing) {
  const Comparison& any = head ? *head : *base;
  CrossComparison out{.suite = any.suite, .benchmark = any.benchmark};
  out.tolerate = any.tolerate;
  out.catch_limit = any.catch_limit;
  if (base) out.base_median_ns = base->head_median_ns;
  if (head) out.head_median_ns = head->head_median_ns;
  if (pairing == Pairing::common_base && base && head && over(head->ratio, base->ratio))
    by_common_base(*base, *head, out);
  else
    out.ratio = over(out.head_median_ns, out.base_median_ns);
  return out;
}

using Name = std::pair<std::string_view, std::string_view>;

std::map<Name, const Comparison*> by_name(std::span<const Comparison> comparisons) {
  std::map<Name, const Comparison*> out;
  for (const Comparison& one : comparisons) out[{one.suite, one.benchmark}] = &one;
  return out;
}

}  // namespace

Pairing pairing_of(const ComparedRun& base, const ComparedRun& head) {
  if (timed_both(head, base) || timed_both(base, head)) return Pairing::paired;
  const bool same_base = !base.base_commit.empty() && base.base_commit == head.base_commit;
  return same_base && base.epoch == head.epoch ? Pairing::common_base : Pairing::not_paired;
}

std::vector<CrossComparison> compare_runs(const ComparedRun& base, const ComparedRun& head) {
  const Pairing pairing = pairing_of(base, head);
  std::vector<CrossComparison> out;
  if (pairing == Pairing::paired) {
    const bool forward = timed_both(head, base);
    for (const Comparison& one : forward ? head.comparisons : base.comparisons)
      out.push_back(forward ? as_judged(one) : inverted(one));
    return out;
  }
  const auto bases = by_name(base.comparisons), heads = by_name(head.comparisons);
  for (const Comparison& one : base.comparisons) {
    const auto other = heads.find({one.suite, one.benchmark});
    out.push_back(across(&one, other == heads.end() ? nullptr : other->second, pairing));
  }
  for (const Comparison& one : head.comparisons)
    if (!bases.count({one.suite, one.benchmark})) out.push_back(across(nullptr, &one, pairing));
  return out;
}

}  // namespace kernelgate

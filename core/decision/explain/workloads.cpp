// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/workloads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "core/decision/evidence/match.hpp"
#include "core/decision/explain/reason.hpp"
#include "core/decision/rule/looks.hpp"

namespace kernelgate {
namespace {

constexpr std::size_t kTradesShown = 5;  // gains, and losses

// One timed benchmark in the total.
struct Term {
  const Comparison* comparison = nullptr;
  double base = 0, head = 0;         // weight x time
  double half_width = 0, alarm = 0;  // of its log ratio: as shown, and as `regressed` needs

  [[nodiscard]] double effect() const { return head - base; }
};

Term term_of(const Comparison& comparison, double weight, Quantiles& quantiles) {
  Term out{.comparison = &comparison};
  out.base = weight * *comparison.base_median_ns;
  out.head = out.base * *comparison.ratio;
  out.half_width = out.alarm = std::log(*comparison.ratio_high / *comparison.ratio);
  if (!comparison.looks.empty()) {
    const double degrees = comparison.looks.back().degrees;
    out.alarm *= quantiles.t(kAlarmTail, degrees) / quantiles.t(kEqualTail, degrees);
  }
  return out;
}

bool is_timed(const Comparison& c) {
  const auto positive = [](const std::optional<double>& value) { return value && std::isfinite(*value) && *value > 0; };
  return positive(c.ratio) && positive(c.ratio_low) && positive(c.ratio_high) && positive(c.base_median_ns);
}

// The figures lie within catch, and yet the benchmark is undecided: such a shift is not detectable there.
bool is_blind(const Comparison& c) {
  const double edge = std::log1p(c.catch_limit);
  return c.verdict == Verdict::undecided && std::log(*c.ratio_high) < edge && std::log(*c.ratio_low) > -edge;
}

// Of benchmarks distinguished from no change, by their effect on the total.
std::vector<std::string> trades(std::vector<Term> terms, double total, bool gains) {
  std::erase_if(terms, [&](const Term& term) {
    return gains ? *term.comparison->ratio_high >= 1 : *term.comparison->ratio_low <= 1;
  });
  std::stable_sort(terms.begin(), terms.end(),
                   [](const Term& a, const Term& b) { return std::abs(a.effect()) > std::abs(b.effect()); });
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(terms.size(), kTradesShown); ++i)
    out.push_back(fmt::format("{} {} (weight {:.3g} %)", terms[i].comparison->benchmark,
                              percent(*terms[i].comparison->ratio), 100 * terms[i].base / total));
  return out;
}

Verdict verdict_of(double shift, double half_width, double alarm, const Band& band) {
  if (shift - alarm > band.tolerate) return Verdict::regressed;
  if (shift + alarm < -band.tolerate) return Verdict::improved;
  if (std::abs(shift) + half_width < band.catch_limit) return Verdict::unchanged;
  return shift >= band.suspect ? Verdict::suspected : Verdict::undecided;
}

void fill_total(WorkloadResult& out, const std::vector<Term>& terms, const Policy& policy) {
  double base = 0, head = 0, half_width = 0, alarm = 0;
  for (const Term& term : terms) {
    base += term.base;
    head += term.head;
  }
  for (const Term& term : terms) {
    half_width += term.head / head * term.half_width;
    alarm += term.head / head * term.alarm;
  }
  const double shift = std::log(head / base);
  out.ratio = std::exp(shift);
  out.low = std::exp(shift - half_width);
  out.high = std::exp(shift + half_width);
  out.gains = trades(terms, base, true);
  out.losses = trades(terms, base, false);
  if (out.timed < out.benchmarks) return;
  out.verdict = verdict_of(shift, half_width, alarm, band_of(policy, 1));
  const bool blind =
      std::any_of(terms.begin(), terms.end(), [](const Term& term) { return is_blind(*term.comparison); });
  if (blind && out.verdict == Verdict::unchanged) out.verdict = Verdict::undecided;
}

// The entries of a workload, ready to be searched in names.
class Weights {
 public:
  explicit Weights(const Workload& workload) {
    for (const WorkloadEntry& entry : workload.entries) entries_.emplace_back(compile_match(entry.match), entry.weight);
  }
  // Of the last entry that matches; none where none does.
  [[nodiscard]] std::optional<double> of(const std::string& benchmark) const {
    const auto found = std::find_if(entries_.rbegin(), entries_.rend(),
                                    [&](const auto& entry) { return std::regex_search(benchmark, entry.first); });
    return found == entries_.rend() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::vector<std::pair<std::regex, double>> entries_;
};

WorkloadResult judge(const std::vector<Comparison>& comparisons, const Workload& workload, const Policy& policy,
                     Quantiles& quantiles) {
  const Weights weights(workload);
  WorkloadResult out;
  out.name = workload.name;
  std::vector<Term> terms;
  bool identical = true;
  for (const Comparison& comparison : comparisons) {
    if (comparison.verdict == Verdict::added) continue;
    const auto weight = weights.of(comparison.benchmark);
    if (!weight) continue;
    out.suite = out.benchmarks == 0 || out.suite == comparison.suite ? comparison.suite : std::string();
    out.benchmarks += 1;
    identical = identical && comparison.verdict == Verdict::identical;
    if (is_timed(comparison)) terms.push_back(term_of(comparison, *weight, quantiles));
  }
  out.timed = static_cast<int>(terms.size());
  if (identical) out.verdict = Verdict::identical;
  if (!terms.empty()) fill_total(out, terms, policy);
  return out;
}

}  // namespace

std::vector<WorkloadResult> judge_workloads(const std::vector<Comparison>& comparisons, const Policy& policy) {
  Quantiles quantiles;
  std::vector<WorkloadResult> out;
  for (const Workload& workload : policy.workloads) {
    WorkloadResult result = judge(comparisons, workload, policy, quantiles);
    if (result.benchmarks > 0) out.push_back(std::move(result));
  }
  return out;
}

std::string workload_text(const WorkloadResult& workload) {
  std::string out = fmt::format("workload {}: ", workload.name);
  if (workload.ratio)
    out += fmt::format("{} [{}, {}], ", percent(*workload.ratio), percent(*workload.low), percent(*workload.high));
  out += to_string(workload.verdict);
  if (workload.timed < workload.benchmarks)
    return out + fmt::format(" ({} of {} benchmarks timed)", workload.timed, workload.benchmarks);
  return out + fmt::format(" ({} benchmark{})", workload.benchmarks, workload.benchmarks == 1 ? "" : "s");
}

}  // namespace kernelgate

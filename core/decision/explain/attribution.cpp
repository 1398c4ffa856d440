// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/attribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/decision/evidence/pairs.hpp"
#include "core/decision/explain/reason.hpp"

namespace kernelgate {
namespace {

double shift(const std::optional<double>& ratio) { return std::log(ratio.value_or(1)); }

bool overlap(const PinnedResult& pinned, const Comparison& c) {
  return pinned.ratio_low && pinned.ratio_high && c.ratio_low && c.ratio_high && *pinned.ratio_low <= *c.ratio_high &&
         *c.ratio_low <= *pinned.ratio_high;
}

// What a result with one configuration on both sides says of the difference without it.
std::string_view cause(const Comparison& c, const PinnedResult& pinned) {
  if (pinned.verdict == Verdict::unchanged) return "the choice made the difference, not the kernel";
  const bool moved = pinned.verdict == Verdict::regressed || pinned.verdict == Verdict::improved;
  if (!moved) return "too few pairs to tell the choice from the kernel";
  if (std::signbit(shift(pinned.ratio)) != std::signbit(shift(c.ratio)))
    return "the choice made the difference; the kernel alone goes the other way";
  if (overlap(pinned, c) || std::abs(shift(pinned.ratio)) > std::abs(shift(c.ratio)))
    return "the kernel made the difference, not the choice";
  return "both made it: the kernel this part, the choice the rest";
}

std::string told(const Comparison& c, const PinnedResult& pinned) {
  const std::string_view whose = pinned.pinned == Side::head ? "base's" : "head's";
  if (!pinned.failure.empty()) return fmt::format("{} configuration could not be pinned: {}", whose, pinned.failure);
  return fmt::format("with {} configuration pinned {}head is {} [{} .. {}] after {} pairs: {}", whose,
                     pinned.pinned == Side::head ? "" : "on both sides ", percent(pinned.ratio.value_or(1)),
                     percent(pinned.ratio_low.value_or(1)), percent(pinned.ratio_high.value_or(1)), pinned.pairs,
                     cause(c, pinned));
}

std::string sentence(const Comparison& c) {
  if (c.pinned.empty()) return {};
  std::string out = fmt::format("{} was chosen instead of {}", c.head_configuration, c.base_configuration);
  for (std::size_t i = 0; i < c.pinned.size(); ++i) out += (i == 0 ? ": " : "; ") + told(c, c.pinned[i]);
  return out;
}

}  // namespace

Choices::Choices(std::span<const Process> processes) {
  for (const Process& process : processes)
    for (const Series& series : process.series) {
      if (series.configuration.empty() || !is_usable(series)) continue;
      Entry& entry = sides_[process.side == Side::head][series.benchmark];
      if (++entry.counts[series.configuration] > entry.counts[entry.most]) entry.most = series.configuration;
    }
}

std::string Choices::of(std::string_view benchmark, Side side) const {
  const auto& known = sides_[side == Side::head];
  const auto found = known.find(benchmark);
  return found == known.end() ? std::string() : found->second.most;
}

std::vector<Comparison> moved_with_choice(std::vector<Comparison> comparisons) {
  std::erase_if(comparisons, [](const Comparison& c) {
    const bool twice_suspected = c.verdict == Verdict::undecided && c.round == 1;
    const bool moved = c.verdict == Verdict::regressed || c.verdict == Verdict::improved ||
                       c.verdict == Verdict::suspected || twice_suspected;
    return !moved || c.pairs == 0 || c.base_configuration.empty() || c.head_configuration.empty() ||
           c.base_configuration == c.head_configuration;
  });
  std::stable_sort(comparisons.begin(), comparisons.end(), [](const Comparison& a, const Comparison& b) {
    return std::abs(shift(a.ratio)) > std::abs(shift(b.ratio));
  });
  return comparisons;
}

void add_attribution(const SuiteEvidence& suite, std::vector<Comparison>& comparisons) {
  const Choices choices(suite.processes);
  for (Comparison& comparison : comparisons) {
    comparison.base_configuration = choices.of(comparison.benchmark, Side::base);
    comparison.head_configuration = choices.of(comparison.benchmark, Side::head);
    for (const PinnedResult& pinned : suite.pinned)
      if (pinned.benchmark == comparison.benchmark) comparison.pinned.push_back(pinned);
    comparison.attribution = sentence(comparison);
  }
}

}  // namespace kernelgate

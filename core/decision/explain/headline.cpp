// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/headline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/decision/explain/reason.hpp"

namespace kernelgate {
namespace {

using Rows = std::vector<const Comparison*>;

constexpr std::size_t kNamedKernels = 3;

template <class Meant>
Rows those(std::span<const Comparison> comparisons, Meant meant) {
  Rows out;
  for (const Comparison& one : comparisons)
    if (meant(one.verdict)) out.push_back(&one);
  return out;
}

Rows of_verdict(std::span<const Comparison> comparisons, Verdict verdict) {
  return those(comparisons, [&](Verdict one) { return one == verdict; });
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string benchmarks(std::size_t count) { return counted(count, "benchmark", "benchmarks"); }

// "; most of all gemm/64 by +6.2 % (+5.9 % to +6.5 %)": the one that moved furthest.
std::string furthest(const Rows& rows) {
  const auto distance = [](const Comparison* one) { return std::abs(std::log(one->ratio.value_or(1))); };
  const auto at = std::max_element(rows.begin(), rows.end(),
                                   [&](const Comparison* a, const Comparison* b) { return distance(a) < distance(b); });
  if (at == rows.end() || !(*at)->ratio) return {};
  const Comparison& one = **at;
  std::string out = fmt::format("most of all {} by {}", one.benchmark, percent(*one.ratio));
  if (one.ratio_low && one.ratio_high)
    out += fmt::format(" ({} to {})", percent(*one.ratio_low), percent(*one.ratio_high));
  return out;
}

std::string regressed_text(std::span<const Comparison> all) {
  const Rows slower = of_verdict(all, Verdict::regressed);
  const std::string most = furthest(slower);
  return fmt::format("{} of {} got slower{}{}.", slower.size(), benchmarks(all.size()), most.empty() ? "" : "; ", most);
}

std::string passed_text(const HeadlineFacts& facts, std::span<const Comparison> all) {
  if (all.empty()) return facts.summary.empty() ? "Nothing had to be measured." : facts.summary;
  const Rows slower = of_verdict(all, Verdict::regressed), faster = of_verdict(all, Verdict::improved);
  std::string out = slower.empty() ? "No slowdown in " + benchmarks(all.size())
                                   : "Passed, with " + benchmarks(slower.size()) + " slower, which the policy allows";
  if (!faster.empty()) out += fmt::format("; {} got faster, {}", faster.size(), furthest(faster));
  return out + ".";
}

std::string word_of(Verdict verdict) {
  return verdict == Verdict::timed_out ? "timed out" : std::string(to_string(verdict));
}

std::string broken_text(std::span<const Comparison> all) {
  const Rows broken = those(all, is_failure);
  std::string out = counted(broken.size(), "kernel does", "kernels do") + " not work: ";
  for (std::size_t i = 0; i < std::min(broken.size(), kNamedKernels); ++i)
    out += fmt::format("{}{} ({})", i > 0 ? ", " : "", broken[i]->benchmark, word_of(broken[i]->verdict));
  if (broken.size() > kNamedKernels) out += fmt::format(" and {} more", broken.size() - kNamedKernels);
  return out + ".";
}

std::string undecided_text(std::span<const Comparison> all) {
  const Rows open = those(all, [](Verdict one) { return one == Verdict::undecided || one == Verdict::suspected; });
  return fmt::format("{} of {} stayed undecided when the budget ended; no slowdown is proven.", open.size(),
                     benchmarks(all.size()));
}

std::string infrastructure_text(const HeadlineFacts& facts) {
  const std::string& why = facts.reason.empty() ? facts.summary : facts.reason;
  return fmt::format("No verdict: {}. This does not count against the commit.",
                     why.empty() ? "the machine failed" : why);
}

std::string unfinished_text(const HeadlineFacts& facts) {
  if (facts.state == RunState::held)
    return "A run of a fork: nothing of it is built or measured until somebody approves it.";
  if (facts.progress.empty()) return fmt::format("The run is {}.", to_string(facts.state));
  return fmt::format("{}: {}.", to_string(facts.state), facts.progress);
}

}  // namespace

std::string headline(const HeadlineFacts& facts, std::span<const Comparison> comparisons) {
  if (!is_finished(facts.state)) return unfinished_text(facts);
  if (facts.state == RunState::cancelled || facts.conclusion == Conclusion::cancelled)
    return facts.reason.empty() ? "Cancelled." : "Cancelled: " + facts.reason + ".";
  if (!facts.conclusion) return facts.summary.empty() ? facts.reason : facts.summary;
  switch (*facts.conclusion) {
    case Conclusion::regressed: return regressed_text(comparisons);
    case Conclusion::passed: return passed_text(facts, comparisons);
    case Conclusion::broken: return broken_text(comparisons);
    case Conclusion::build_failed: return "Head does not build.";
    case Conclusion::undecided: return undecided_text(comparisons);
    case Conclusion::infrastructure:
    case Conclusion::cancelled: return infrastructure_text(facts);
  }
  return facts.summary;
}

}  // namespace kernelgate

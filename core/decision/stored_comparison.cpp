// SPDX-License-Identifier: Apache-2.0
#include "core/decision/stored_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>

#include "core/decision/explain/reason.hpp"
#include "core/decision/rule/looks.hpp"
#include "core/decision/rule/stored_screen.hpp"

namespace kernelgate {
namespace {

double shift_of(const StoredJudgement& judged) { return judged.head_level - judged.base_level; }

void fill(Comparison& out, const StoredJudgement& judged) {
  out.verdict = judged.verdict;
  out.severity = judged.severity;
  const double shift = shift_of(judged);
  out.ratio = std::exp(shift);
  if (judged.half_width) {
    out.ratio_low = std::exp(shift - *judged.half_width);
    out.ratio_high = std::exp(shift + *judged.half_width);
    out.minimum_detectable = std::expm1(*judged.half_width);
  }
  out.cliffs_delta = judged.cliffs_delta;
  out.mwu_p = judged.mwu_p;
  out.base_median_ns = std::exp(judged.base_level);
  out.head_median_ns = std::exp(judged.head_level);
}

// What only a stored baseline shows may be the machine's doing: it fails a commit where the policy says so.
void soften(Comparison& out, const StoredJudgement& judged, const Policy& policy, const Band& band) {
  const bool slower = out.verdict == Verdict::regressed;
  if (slower && policy.stored == OnFinding::warn) {
    out.verdict = Verdict::suspected;
    out.severity = Severity::none;
    out.reason += "; environment or shared code, and the policy says stored = \"warn\": not failed for it";
  } else if (slower) {
    out.reason += "; environment or shared code";
  } else if (out.verdict == Verdict::undecided && shift_of(judged) >= band.suspect) {
    out.verdict = Verdict::suspected;
  }
}

std::string why_not(const SuiteView& view, const std::string& benchmark) {
  const StoredSessions* sessions = view.stored().sessions(benchmark);
  const int wanted = view.stored().wanted(benchmark);
  if (wanted > 0)
    return fmt::format("{} of {} processes of head were taken against the stored baseline",
                       view.stored().taken(benchmark), wanted);
  return fmt::format("there is no base, and the stored baseline has {} session{} of it: {} are needed",
                     sessions ? sessions->sessions.size() : 0, sessions && sessions->sessions.size() == 1 ? "" : "s",
                     kStoredSessionsMin);
}

double gpu_s_alone(const SuiteEvidence& suite, const std::string& benchmark) {
  double sum = 0;
  for (const Process& process : suite.processes)
    if (process.round == kScreenRound)
      for (const Series& series : process.series)
        if (series.benchmark == benchmark) sum += process.gpu_s / static_cast<double>(process.series.size());
  return sum;
}

bool has_variance(std::span<const StoredVariance> variances, const Comparison& comparison) {
  return std::any_of(variances.begin(), variances.end(), [&](const StoredVariance& entry) {
    return entry.suite == comparison.suite && entry.benchmark == comparison.benchmark &&
           entry.degrees >= kStoredDegrees;
  });
}

// Processes that the rule in pairs would have taken at the very least.
int least_in_pairs(const Policy& policy, bool has_stored) {
  if (policy.rule == Rule::mwu_cliff) return 2 * policy.max_pairs;
  const std::vector<int> looks = look_schedule(policy.max_pairs, has_stored);
  return looks.empty() ? 0 : 2 * looks.front();
}

std::string baseline_text(const SuiteEvidence& suite) {
  std::size_t most = 0;
  for (const StoredSessions& entry : suite.stored) most = std::max(most, entry.sessions.size());
  const StoredSessions& first = suite.stored.front();
  if (first.baseline.empty()) return fmt::format("the stored baseline ({} recorded sessions)", most);
  return fmt::format("the stored baseline {} ({} sessions of {})", first.baseline, most, first.commit.substr(0, 10));
}

struct Savings {
  int cleared = 0, timings = 0, head = 0;
  double gpu_s = 0;
};

// Files may hold more processes of head than can be compared with the sessions.
std::string unused_text(int used, int taken) {
  return fmt::format("{} of {} processes of head used: the shortest stored session has no more", used, taken);
}

// For the benchmark that leaves most of them out; empty: all are used.
std::string most_unused(const StoredTable& table, const std::vector<Comparison>& comparisons) {
  int used = 0, taken = 0;
  for (const Comparison& comparison : comparisons) {
    const int some = table.used(comparison.benchmark), all = table.taken(comparison.benchmark);
    if (some > 0 && all - some > taken - used) std::tie(used, taken) = std::pair(some, all);
  }
  return used == taken ? std::string() : unused_text(used, taken);
}

Savings savings_of(const SuiteEvidence& suite, const Policy& policy, std::span<const StoredVariance> variances,
                   const StoredTable& table, const std::vector<Comparison>& comparisons) {
  Savings out;
  for (const Comparison& comparison : comparisons) {
    if (comparison.against != Against::stored || comparison.verdict != Verdict::unchanged) continue;
    const int taken = table.taken(comparison.benchmark);
    const int saved = least_in_pairs(policy, has_variance(variances, comparison)) - taken;
    out.cleared += 1;
    out.head = std::max(out.head, taken);
    if (saved <= 0 || taken == 0) continue;
    out.timings += saved;
    out.gpu_s += saved * gpu_s_alone(suite, comparison.benchmark) / taken;
  }
  return out;
}

}  // namespace

std::string shift_text(const StoredJudgement& judged) {
  const double shift = shift_of(judged);
  std::string out = percent(std::exp(shift));
  if (judged.half_width)
    out += fmt::format(" [{}, {}]", percent(std::exp(shift - *judged.half_width)),
                       percent(std::exp(shift + *judged.half_width)));
  out += fmt::format(" of {} processes against {} stored sessions", judged.head, judged.sessions);
  if (judged.head < judged.head_taken) out += " (" + unused_text(judged.head, judged.head_taken) + ")";
  if (judged.mwu_p)
    out += fmt::format(", U p = {:.3g}, delta = {:.3g}", *judged.mwu_p, judged.cliffs_delta.value_or(0));
  return out;
}

Comparison against_stored(const SuiteView& view, const std::string& benchmark,
                          const std::optional<StoredJudgement>& judged) {
  const Policy policy = view.policy_of(benchmark);
  Comparison out;
  out.suite = view.suite().name;
  out.benchmark = benchmark;
  out.against = Against::stored;
  out.round = kScreenRound;
  out.tolerate = policy.tolerate;
  out.catch_limit = policy.catch_limit;
  out.gpu_s = view.pairs().gpu_s(benchmark);
  if (!judged) {
    out.reason = why_not(view, benchmark);
    return out;
  }
  fill(out, *judged);
  out.reason = shift_text(*judged);
  if (out.verdict == Verdict::undecided && out.minimum_detectable.value_or(0) > policy.catch_limit)
    out.reason += fmt::format(": {:.3g} % is not detectable here", 100 * policy.catch_limit);
  soften(out, *judged, policy, band_of(policy, view.timed.size()));
  return out;
}

void add_stored_notices(const SuiteEvidence& suite, const Policy& policy, std::span<const StoredVariance> variances,
                        const std::vector<Comparison>& comparisons, std::vector<std::string>& notices) {
  const std::string prefix = suite.name.empty() ? "" : suite.name + ": ";
  if (suite.stored.empty()) {
    if (policy.against == Against::stored && !suite.identical && suite.has_base && suite.has_head)
      notices.push_back(prefix + "there is no stored baseline in this epoch: pairs were taken");
    return;
  }
  const StoredTable table(suite, policy);
  const bool usable = std::any_of(suite.stored.begin(), suite.stored.end(),
                                  [&](const StoredSessions& entry) { return table.wanted(entry.benchmark) > 0; });
  if (!usable) {
    notices.push_back(fmt::format("{}{} cannot judge: {} sessions of at least {} processes are needed{}", prefix,
                                  baseline_text(suite), kStoredSessionsMin, kStoredProcessesMin,
                                  suite.has_base ? "; pairs were taken" : ""));
    return;
  }
  const Savings saved = savings_of(suite, policy, variances, table, comparisons);
  const auto judged = std::count_if(comparisons.begin(), comparisons.end(),
                                    [&](const Comparison& one) { return table.taken(one.benchmark) > 0; });
  std::string text =
      fmt::format("{}{} cleared {} of {} benchmarks", prefix, baseline_text(suite), saved.cleared, judged);
  if (saved.timings > 0 && suite.has_base)
    text += fmt::format(
        " with {} processes of head: at least {} more timings of single benchmarks were not taken, "
        "{:.1f} s of the device saved",
        saved.head, saved.timings, saved.gpu_s);
  if (const std::string unused = most_unused(table, comparisons); !unused.empty()) text += "; " + unused;
  notices.push_back(std::move(text));
}

}  // namespace kernelgate

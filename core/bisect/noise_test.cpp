// SPDX-License-Identifier: Apache-2.0
// The whole search with the real decision rule on simulated noise: 64 commits, one of which is 10 % slower, two that do
// not build and one that meets the machine's trouble.
#include <gmock/gmock.h>

#include <cmath>
#include <random>
#include <set>

#include "core/bisect/search.hpp"
#include "core/decision/decide.hpp"
#include "tests/support/test_evidence.hpp"

namespace kernelgate::bisect {
namespace noise_test {

constexpr int kCommits = 65;          // good, and 64 after it
constexpr double kEffect = 0.10;      // of the culprit
constexpr double kProcessSd = 0.012;  // of one process, on the log scale

struct History {
  int culprit = 0;
  std::set<int> unbuilt;
  int troubled = 0;
  bool troubled_yet = false;
};

History draw(std::mt19937_64& random) {
  std::uniform_int_distribution<int> any(1, kCommits - 2);
  History out;
  out.culprit = any(random);
  while (out.unbuilt.size() < 2)
    if (const int commit = any(random); commit != out.culprit && commit != out.culprit - 1) out.unbuilt.insert(commit);
  do out.troubled = any(random);
  while (out.unbuilt.count(out.troubled) > 0);
  return out;
}

// Pairs until the rule is done, as a runner takes them.
Comparison measure(double shift, std::mt19937_64& random) {
  std::normal_distribution<double> noise(0, kProcessSd);
  SuiteEvidence suite = test::suite_named("gemm", {"gemm/64"});
  const Policy policy;
  while (true) {
    const NextMeasurement next = next_measurement(suite, policy, {});
    if (next.done) return decide_suite(suite, policy, {}).front();
    for (const Side side : {Side::base, Side::head}) {
      const double log_time = (side == Side::head ? shift : 0) + noise(random);
      suite.processes.push_back(
          test::process_of(side, next.pair, {test::series_of("gemm/64", 1000 * std::exp(log_time))}, next.round));
    }
  }
}

Reading run(History& history, const Step& step, std::mt19937_64& random) {
  if (history.unbuilt.count(step.head) > 0) return {.kind = ReadingKind::unusable, .why = "does not build"};
  if (step.head == history.troubled && !history.troubled_yet) {
    history.troubled_yet = true;
    return {.kind = ReadingKind::trouble, .why = "infrastructure: the runner was lost"};
  }
  const bool differs = step.head >= history.culprit && step.base < history.culprit;
  const Comparison comparison = measure(differs ? std::log1p(kEffect) : 0, random);
  const Target target{.aim = Aim::regressed, .suite = "gemm", .benchmark = "gemm/64"};
  const bool passed = comparison.verdict == Verdict::unchanged;
  return read_run(target, {.conclusion = passed ? Conclusion::passed : Conclusion::regressed,
                           .reason = {},
                           .base = "",
                           .wanted = "",
                           .comparisons = {comparison}});
}

TEST(SearchInNoise, FindsTheRightCulpritInTenComparisons20SeedsOf20) {
  for (int seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    History history = draw(random);
    std::vector<Observation> seen;
    Next next = next_step(kCommits, seen);
    while (next.step) {
      seen.push_back({*next.step, run(history, *next.step, random)});
      next = next_step(kCommits, seen);
    }
    EXPECT_EQ(next.end, Ending::culprit) << "seed " << seed << ": " << next.why;
    EXPECT_EQ(next.high, history.culprit) << "seed " << seed;
    EXPECT_LE(comparisons_of(seen), 10) << "seed " << seed;
    RecordProperty("comparisons_of_seed_" + std::to_string(seed), comparisons_of(seen));
  }
}

}  // namespace noise_test
}  // namespace kernelgate::bisect

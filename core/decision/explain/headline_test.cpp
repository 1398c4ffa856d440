// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/headline.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kernelgate {
namespace headline_test {

Comparison one(const char* benchmark, Verdict verdict, std::optional<double> ratio = 1) {
  Comparison out;
  out.benchmark = benchmark;
  out.verdict = verdict;
  out.ratio = ratio;
  if (ratio) out.ratio_low = *ratio - 0.01, out.ratio_high = *ratio + 0.01;
  return out;
}

struct Case {
  HeadlineFacts facts;
  std::vector<Comparison> comparisons;
  const char* want;
};

HeadlineFacts done(Conclusion conclusion) { return {.state = RunState::done, .conclusion = conclusion}; }

TEST(Headline, SaysWhatTheRunCameTo) {
  const Case cases[] = {
      {done(Conclusion::regressed),
       {one("a/1", Verdict::regressed, 1.04), one("a/2", Verdict::regressed, 1.08), one("b", Verdict::unchanged)},
       "2 of 3 benchmarks got slower; most of all a/2 by +8.00 % (+7.00 % to +9.00 %)."},
      {done(Conclusion::passed), {one("a", Verdict::unchanged)}, "No slowdown in 1 benchmark."},
      {done(Conclusion::passed),
       {one("a", Verdict::improved, 0.9), one("b", Verdict::unchanged)},
       "No slowdown in 2 benchmarks; 1 got faster, most of all a by -10.00 % (-11.00 % to -9.00 %)."},
      {done(Conclusion::passed),
       {one("a", Verdict::regressed, 1.02)},
       "Passed, with 1 benchmark slower, which the policy allows."},
      {done(Conclusion::passed), {}, "Nothing had to be measured."},
      {done(Conclusion::broken),
       {one("a", Verdict::broken, {}), one("b", Verdict::timed_out, {}), one("c", Verdict::crashed, {}),
        one("d", Verdict::invalid, {}), one("e", Verdict::regressed, 1.5)},
       "4 kernels do not work: a (broken), b (timed out), c (crashed) and 1 more."},
      {done(Conclusion::undecided),
       {one("a", Verdict::suspected), one("b", Verdict::unchanged)},
       "1 of 2 benchmarks stayed undecided when the budget ended; no slowdown is proven."},
      {done(Conclusion::build_failed), {}, "Head does not build."},
      {{.state = RunState::done, .conclusion = Conclusion::infrastructure, .reason = "Xid 79"},
       {},
       "No verdict: Xid 79. This does not count against the commit."},
      {{.state = RunState::cancelled, .reason = "cancelled by ada"}, {}, "Cancelled: cancelled by ada."},
      {{.state = RunState::measuring, .progress = "pair 3"}, {}, "measuring: pair 3."},
      {{.state = RunState::queued}, {}, "The run is queued."},
      {{.state = RunState::held},
       {},
       "A run of a fork: nothing of it is built or measured until somebody approves it."},
  };
  for (const Case& each : cases) EXPECT_EQ(headline(each.facts, each.comparisons), each.want);
}

}  // namespace headline_test
}  // namespace kernelgate

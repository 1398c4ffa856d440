// SPDX-License-Identifier: Apache-2.0
#include "core/decision/rule/live_stop.hpp"

#include <gtest/gtest.h>

namespace kernelgate {
namespace live_stop_test {

Comparison judged(Verdict verdict, int pairs) {
  Comparison out;
  out.verdict = verdict;
  out.pairs = pairs;
  return out;
}

TEST(LiveStop, EachBenchmarkStopsWhereALiveRunWouldHaveLooked) {
  const Policy policy;
  EXPECT_EQ(live_pair(judged(Verdict::unchanged, 4), policy), 4);
  EXPECT_EQ(live_pair(judged(Verdict::regressed, 12), policy), 12);
  EXPECT_EQ(live_pair(judged(Verdict::regressed, 10), policy), std::nullopt) << "a look that only the files' end made";
  EXPECT_EQ(live_pair(judged(Verdict::undecided, 8), policy), std::nullopt);
  EXPECT_EQ(live_pair(judged(Verdict::undecided, 16), policy), 16);
  EXPECT_EQ(live_pair(judged(Verdict::suspected, 16), policy), std::nullopt) << "it is run once more";
  EXPECT_EQ(live_pair(judged(Verdict::added, 0), policy), std::nullopt);
}

TEST(LiveStop, MwuCliffJudgesOnceWithAllPairs) {
  Policy policy;
  policy.rule = Rule::mwu_cliff;
  policy.max_pairs = 8;
  EXPECT_EQ(live_pair(judged(Verdict::unchanged, 8), policy), 8);
  EXPECT_EQ(live_pair(judged(Verdict::unchanged, 6), policy), std::nullopt);
  RunDecision decision;
  decision.comparisons = {judged(Verdict::regressed, 6)};
  EXPECT_EQ(live_text(live_stop(decision, policy, 6)),
            "a live run of rule mwu_cliff judges once, with 8 pairs: these are 6");
  decision.comparisons = {judged(Verdict::regressed, 8)};
  EXPECT_EQ(live_text(live_stop(decision, policy, 8)), "");
}

TEST(LiveStop, TheLastBenchmarkSaysWhatARunSpends) {
  RunDecision decision;
  decision.comparisons = {judged(Verdict::unchanged, 4), judged(Verdict::regressed, 6), judged(Verdict::missing, 0)};
  const LiveStop early = live_stop(decision, {}, 10);
  EXPECT_EQ(early.pairs, 6);
  EXPECT_EQ(early.processes(), 12);
  EXPECT_EQ(early.open, 0);
  EXPECT_EQ(live_text(early), "a live run would have stopped after pair 6 of 10: 12 processes, not 20");
  decision.comparisons.push_back(judged(Verdict::suspected, 10));
  const LiveStop open = live_stop(decision, {}, 10);
  EXPECT_EQ(open.pairs, 10);
  EXPECT_EQ(live_text(open), "a live run would have gone on after these 10 pairs: 1 benchmark is open");
  EXPECT_EQ(live_text(live_stop(RunDecision{}, {}, 10)), "");
}

}  // namespace live_stop_test
}  // namespace kernelgate

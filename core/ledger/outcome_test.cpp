// SPDX-License-Identifier: Apache-2.0
#include "core/ledger/outcome.hpp"

#include <gtest/gtest.h>

namespace kernelgate::ledger {
namespace outcome_test {

RunDecision decision_of(Conclusion conclusion, std::vector<std::pair<Verdict, std::string>> verdicts) {
  RunDecision out;
  out.conclusion = conclusion;
  out.summary = "in all";
  for (const auto& [verdict, reason] : verdicts) {
    Comparison comparison;
    comparison.benchmark = "b";
    comparison.verdict = verdict;
    comparison.reason = reason;
    const bool timed = verdict <= Verdict::suspected;
    comparison.pairs = timed ? 4 : 0;
    out.comparisons.push_back(comparison);
  }
  return out;
}

Outcome one(Verdict verdict, const std::string& reason = {}) {
  return judge_attempt(decision_of(Conclusion::passed, {{verdict, reason}})).outcome;
}

TEST(Outcome, IsWhatTheBenchmarksAre) {
  EXPECT_EQ(one(Verdict::improved), Outcome::won);
  EXPECT_EQ(one(Verdict::regressed), Outcome::lost);
  EXPECT_EQ(one(Verdict::unchanged), Outcome::no_change);
  EXPECT_EQ(one(Verdict::suspected), Outcome::undecided);
  EXPECT_EQ(one(Verdict::undecided), Outcome::undecided);
  EXPECT_EQ(one(Verdict::identical), Outcome::identical);
  EXPECT_EQ(one(Verdict::added), Outcome::added);
  EXPECT_EQ(one(Verdict::broken), Outcome::broken);
  EXPECT_EQ(one(Verdict::timed_out), Outcome::timed_out);
  EXPECT_EQ(one(Verdict::invalid), Outcome::invalid);
  const auto both = decision_of(Conclusion::regressed, {{Verdict::improved, ""}, {Verdict::regressed, ""}});
  EXPECT_EQ(judge_attempt(both).outcome, Outcome::mixed);
}

TEST(Outcome, AQuarantinedBenchmarkWinsAndLosesNothing) {
  for (const Verdict verdict : {Verdict::improved, Verdict::regressed, Verdict::suspected}) {
    RunDecision decision = decision_of(Conclusion::passed, {{verdict, ""}, {Verdict::unchanged, ""}});
    decision.comparisons[0].quarantined = "calibration: noisy";
    EXPECT_EQ(judge_attempt(decision).outcome, Outcome::no_change) << to_string(verdict);
  }
}

TEST(Outcome, ACrashIsCalledWhatCudaCallsIt) {
  EXPECT_EQ(one(Verdict::crashed, "CUDA error 716 (cudaErrorMisalignedAddress): misaligned address"),
            Outcome::misaligned_address);
  EXPECT_EQ(one(Verdict::crashed, "an illegal memory access was encountered"), Outcome::illegal_address);
  EXPECT_EQ(one(Verdict::crashed, "cudaErrorLaunchOutOfResources"), Outcome::too_many_resources);
  EXPECT_EQ(one(Verdict::crashed, "cudaErrorMemoryAllocation"), Outcome::out_of_memory);
  EXPECT_EQ(one(Verdict::crashed, "cudaErrorInvalidValue"), Outcome::invalid_launch);
  EXPECT_EQ(one(Verdict::crashed, "signal 11"), Outcome::crashed);
}

TEST(Outcome, AFailureComesBeforeAWin) {
  const auto judged =
      judge_attempt(decision_of(Conclusion::broken, {{Verdict::improved, ""}, {Verdict::broken, "wrong value"}}));
  EXPECT_EQ(judged.outcome, Outcome::broken);
  EXPECT_EQ(judged.text, "b: wrong value");
}

TEST(Outcome, RunsWithoutComparisonsAreNamedByTheirConclusion) {
  EXPECT_EQ(judge_attempt(decision_of(Conclusion::build_failed, {})).outcome, Outcome::did_not_compile);
  RunDecision decision = decision_of(Conclusion::infrastructure, {});
  decision.reason = "the disk is full";
  EXPECT_EQ(judge_attempt(decision).outcome, Outcome::not_measured);
  EXPECT_EQ(judge_attempt(decision).text, "the disk is full");
  decision = decision_of(Conclusion::passed, {});
  decision.reason = "nothing_to_measure";
  EXPECT_EQ(judge_attempt(decision).outcome, Outcome::identical);
  // A benchmark that is gone, where the policy fails that.
  EXPECT_EQ(judge_attempt(decision_of(Conclusion::regressed, {{Verdict::missing, ""}})).outcome, Outcome::lost);
}

TEST(Outcome, OfAReferencePointIsWhyItFailedAsBase) {
  RunDecision decision = decision_of(Conclusion::infrastructure, {});
  decision.reason = "no commit can be base: the reference point: its check of a is crashed: misaligned address";
  EXPECT_EQ(judge_attempt(decision).outcome, Outcome::misaligned_address);
  decision.reason = "no commit can be base: the reference point: its check of a is broken: 0.5";
  EXPECT_EQ(judge_attempt(decision).outcome, Outcome::broken);
}

TEST(Outcome, AListMayNameAllFailures) {
  EXPECT_EQ(*parse_outcomes("won,timed out"), (std::vector{Outcome::won, Outcome::timed_out}));
  const auto failed = *parse_outcomes("failed");
  EXPECT_EQ(failed.front(), Outcome::did_not_compile);
  EXPECT_EQ(failed.back(), Outcome::invalid);
  EXPECT_EQ(parse_outcomes("won,wonderful").error().code, Errc::invalid);
  EXPECT_TRUE(parse_outcomes("")->empty());
}

TEST(Outcome, IsReadInEitherSpelling) {
  for (int i = 0; i <= static_cast<int>(Outcome::cancelled); ++i) {
    const auto outcome = static_cast<Outcome>(i);
    EXPECT_EQ(parse_outcome(to_string(outcome)), outcome);
    EXPECT_EQ(parse_outcome(words(outcome)), outcome);
  }
  EXPECT_FALSE(parse_outcome("wonderful"));
  EXPECT_TRUE(is_failure(Outcome::misaligned_address));
  EXPECT_FALSE(is_failure(Outcome::lost));
  EXPECT_FALSE(is_judged(Outcome::superseded));
  EXPECT_FALSE(is_judged(Outcome::not_tried));
  EXPECT_TRUE(is_judged(Outcome::reference));
}

}  // namespace outcome_test
}  // namespace kernelgate::ledger

// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/acknowledged.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "core/decision/decide.hpp"
#include "tests/support/test_evidence.hpp"

namespace kernelgate {
namespace acknowledged_test {

using testing::Contains;
using testing::HasSubstr;

// Base at 1000 ns, head slower by `shift`; ann accepted 5 % over a base of 1000 ns.
RunDecision decided(double shift, std::vector<Acknowledgement> accepted) {
  RunEvidence run;
  run.suites = {test::suite_of(test::wobble(shift, .001, 4))};
  run.acknowledged = std::move(accepted);
  return decide_run(run, Policy{}, {});
}

Acknowledgement accepted(double ratio = 1.05, double head_ns = 1050) {
  return {.id = 1,
          .suite = "gemm",
          .benchmark = "b",
          .ratio = ratio,
          .head_median_ns = head_ns,
          .actor = "ann",
          .reason = "needed for correctness"};
}

TEST(Acknowledged, AnAcceptedRegressionFailsNothing) {
  EXPECT_EQ(decided(.05, {}).conclusion, Conclusion::regressed);
  const RunDecision decision = decided(.055, {accepted()});
  EXPECT_EQ(decision.conclusion, Conclusion::passed);
  EXPECT_EQ(decision.reason, "slower than is tolerated, and acknowledged");
  EXPECT_EQ(decision.comparisons[0].verdict, Verdict::regressed);
  EXPECT_EQ(decision.comparisons[0].acknowledged, "ann: needed for correctness");
  EXPECT_THAT(decision.notices, Contains(HasSubstr("gemm: b +5.50 % is acknowledged by ann: needed")));
}

TEST(Acknowledged, AFurtherSlowdownFailsAgain) {
  const RunDecision decision = decided(.08, {accepted()});
  EXPECT_EQ(decision.conclusion, Conclusion::regressed);
  EXPECT_TRUE(decision.comparisons[0].acknowledged.empty());
  EXPECT_THAT(decision.notices, Contains(HasSubstr("gemm: b +8.00 % is beyond the +5.00 % that ann accepted")));
}

TEST(Acknowledged, ASecondSlowdownOfTheSameSizeFailsAgain) {
  // Base has the accepted slowdown already, so the ratio is the accepted one and only the median tells.
  EXPECT_EQ(decided(.05, {accepted(1.05, 1000)}).conclusion, Conclusion::regressed);
}

TEST(Acknowledged, OtherBenchmarksAreNotMeant) {
  Acknowledgement other = accepted();
  other.benchmark = "c";
  EXPECT_EQ(decided(.05, {other}).conclusion, Conclusion::regressed);
  EXPECT_EQ(decided(.05, {other, accepted(1.01, 1010), accepted()}).conclusion, Conclusion::passed);
  EXPECT_EQ(decided(0, {accepted()}).comparisons[0].verdict, Verdict::unchanged);
}

}  // namespace acknowledged_test
}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/quarantined.hpp"

#include <gmock/gmock.h>

#include "core/decision/decide.hpp"
#include "tests/support/test_evidence.hpp"

namespace kernelgate {
namespace quarantined_test {

using testing::Contains;
using testing::HasSubstr;

// Base at 1000 ns, head slower by `shift`, with so much noise.
RunEvidence evidence(double shift, double noise = .001) {
  RunEvidence run;
  run.suites = {test::suite_of(test::wobble(shift, noise, 4))};
  run.quarantined = {
      {.id = 1, .suite = "gemm", .benchmark = "b", .actor = "calibration", .reason = "5 % is not detectable"}};
  return run;
}

TEST(Quarantined, ItsTimingIsShownAndDecidesNothing) {
  const RunDecision decision = decide_run(evidence(.05), Policy{}, {});
  EXPECT_EQ(decision.conclusion, Conclusion::passed);
  EXPECT_EQ(decision.reason, "within what is tolerated, but for what is quarantined");
  EXPECT_EQ(decision.summary, "1 quarantined");
  EXPECT_EQ(decision.comparisons[0].verdict, Verdict::regressed);
  EXPECT_EQ(decision.comparisons[0].quarantined, "calibration: 5 % is not detectable");
  EXPECT_THAT(decision.notices, Contains(HasSubstr("gemm: b is regressed at +5.00 % and decides nothing: it is "
                                                   "quarantined by calibration: 5 % is not detectable")));
}

TEST(Quarantined, WhatIsUndecidedFailsNothingEither) {
  const RunEvidence noisy = evidence(.02, .05);
  RunEvidence without = noisy;
  without.quarantined.clear();
  EXPECT_EQ(decide_run(without, Policy{}, {}).conclusion, Conclusion::undecided);
  EXPECT_EQ(decide_run(noisy, Policy{}, {}).conclusion, Conclusion::passed);
}

TEST(Quarantined, WhatIsWrongDecidesAsEver) {
  RunEvidence run = evidence(0);
  run.suites[0].failures = {
      {.benchmark = "b", .verdict = Verdict::crashed, .text = "segmentation fault", .fingerprint = {}}};
  EXPECT_EQ(decide_run(run, Policy{}, {}).conclusion, Conclusion::broken);
}

TEST(Quarantined, OtherBenchmarksAreNotMeant) {
  RunEvidence run = evidence(.05);
  run.quarantined[0].benchmark = "c";
  EXPECT_EQ(decide_run(run, Policy{}, {}).conclusion, Conclusion::regressed);
}

TEST(Quarantined, AGoodVerdictIsMarkedAndPassesAsEver) {
  const RunDecision decision = decide_run(evidence(0), Policy{}, {});
  EXPECT_EQ(decision.comparisons[0].verdict, Verdict::unchanged);
  EXPECT_EQ(decision.reason, "within what is tolerated");
  EXPECT_FALSE(decision.comparisons[0].quarantined.empty());
}

}  // namespace quarantined_test
}  // namespace kernelgate

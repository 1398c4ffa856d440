// SPDX-License-Identifier: Apache-2.0
#include "runner/measure/clock_gaps.hpp"

#include <gmock/gmock.h>

namespace kernelgate {
namespace clock_gaps_test {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(ClockGaps, ThreePairsOnOneSideAreSaid) {
  ClockGaps gaps;
  gaps.add(1980, 1965);
  gaps.add(1980, 1965);
  gaps.add(1980, 1980);
  gaps.add(std::nullopt, 1000);
  EXPECT_THAT(gaps.notice(), IsEmpty());
  gaps.add(1980, 1950);
  EXPECT_THAT(gaps.notice(), HasSubstr("clock-coupled: in 3 of 4 pairs head ran at a lower clock"));
  EXPECT_THAT(gaps.notice(), HasSubstr("-0.8 %"));
}

TEST(ClockGaps, TheSideIsNamed) {
  ClockGaps gaps;
  for (int i = 0; i < 3; ++i) gaps.add(1965, 1980);
  EXPECT_THAT(gaps.notice(), HasSubstr("base ran at a lower clock"));
}

TEST(ClockGaps, LessThanAStepIsNoGap) {
  ClockGaps gaps;
  for (int i = 0; i < 8; ++i) gaps.add(1980, 1973);
  EXPECT_THAT(gaps.notice(), IsEmpty());
}

}  // namespace clock_gaps_test
}  // namespace kernelgate

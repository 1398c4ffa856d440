// SPDX-License-Identifier: Apache-2.0
#include "core/ledger/constraints.hpp"

#include <gmock/gmock.h>

namespace kernelgate::ledger {
namespace constraints_test {

using testing::ElementsAre;
using testing::IsEmpty;

TriedPoint point(const std::string& name, const std::string& failure = {}) {
  return {parse_point(name), failure.empty() ? "won" : failure, !failure.empty()};
}

TEST(Constraints, APointIsReadFromItsNameAndItsDefines) {
  const PointValues values{{"BLOCK_M", "64"}, {"STAGES", "2"}};
  EXPECT_EQ(parse_point(point_name(values)), values);
  EXPECT_EQ(parse_point(point_defines(values)), values);
  EXPECT_THAT(parse_point("no point"), IsEmpty());
}

TEST(Constraints, NameTheOneValueThatWorks) {
  EXPECT_THAT(constraints_of({point("M=64 W=4"), point("M=64 W=8"), point("M=80 W=4", "misaligned address"),
                              point("M=80 W=8", "misaligned address"), point("M=128 W=4", "broken"),
                              point("M=128 W=8", "broken")}),
              ElementsAre("every M other than 64 fails (4 points: 2 broken, 2 misaligned address)"));
}

TEST(Constraints, NameValuesAndPairsThatFail) {
  EXPECT_THAT(constraints_of({point("M=64 W=4"), point("M=64 W=8"), point("M=80 W=4", "crashed"),
                              point("M=80 W=8", "crashed"), point("M=128 W=4"), point("M=128 W=8", "broken")}),
              ElementsAre("M = 80 fails (2 points: crashed)", "M = 128 with W = 8 fails (1 point: broken)"));
}

TEST(Constraints, NothingIsSaidWhereNothingOrEverythingFails) {
  EXPECT_THAT(constraints_of({point("M=64"), point("M=80")}), IsEmpty());
  EXPECT_THAT(constraints_of({point("M=64", "broken"), point("M=80", "broken")}), IsEmpty());
  EXPECT_THAT(constraints_of({}), IsEmpty());
}

}  // namespace constraints_test
}  // namespace kernelgate::ledger

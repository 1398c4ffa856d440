// SPDX-License-Identifier: Apache-2.0
#include "core/decision/evidence/cost.hpp"

#include <gtest/gtest.h>

namespace kernelgate {
namespace cost_test {

Process process(const std::string& suite, Side side, int pair, double gpu_s) {
  Process out;
  out.suite = suite;
  out.side = side;
  out.pair = pair;
  out.gpu_s = gpu_s;
  return out;
}

TEST(Cost, StoppingEarlySavesThePairsThatWereNotTaken) {
  const std::vector<Process> taken{process("a", Side::base, 0, 2), process("a", Side::head, 0, 3),
                                   process("a", Side::head, 1, 1), process("a", Side::base, 1, 1)};
  EXPECT_DOUBLE_EQ(seconds_saved(taken, 16, 600), 16 * 5 - 7);
  EXPECT_DOUBLE_EQ(seconds_saved(taken, 16, 20), 20 - 7);
  EXPECT_DOUBLE_EQ(seconds_saved(taken, 1, 600), 0);
}

TEST(Cost, ASuiteWithoutAWholePairSavesNothing) {
  EXPECT_EQ(seconds_saved({}, 16, 600), 0);
  const std::vector<Process> half{process("a", Side::head, 0, 3)};
  EXPECT_EQ(seconds_saved(half, 16, 600), 0);
  std::vector<Process> crashed{process("a", Side::base, 0, 2), process("a", Side::head, 0, 3)};
  crashed[1].end = ProcessEnd::crashed;
  EXPECT_EQ(seconds_saved(crashed, 16, 600), 0);
}

TEST(Cost, EachSuiteHasItsOwnPairs) {
  const std::vector<Process> taken{process("a", Side::base, 0, 1), process("a", Side::head, 0, 1),
                                   process("b", Side::base, 0, 2), process("b", Side::head, 0, 2)};
  EXPECT_DOUBLE_EQ(seconds_saved(taken, 4, 600), 4 * 6 - 6);
}

TEST(Cost, MoneyNeedsAPrice) {
  RunCost cost{.held_s = 12.34, .used_s = 9.1, .saved_s = 20.96, .price_per_hour = {}};
  EXPECT_FALSE(cost.money(3600));
  EXPECT_EQ(describe(cost), "9.1 s used of 12.3 s held, 21.0 s saved by stopping early");
  cost.price_per_hour = 3.5;
  EXPECT_EQ(describe(cost), "9.1 s used of 12.3 s held, 21.0 s saved by stopping early; 0.0120 at 3.50 an hour");
}

}  // namespace cost_test
}  // namespace kernelgate

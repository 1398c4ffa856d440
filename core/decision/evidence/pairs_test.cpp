// SPDX-License-Identifier: Apache-2.0
#include "core/decision/evidence/pairs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/test_evidence.hpp"

namespace kernelgate {
namespace pairs_test {

using test::process_of;
using test::series_of;

TEST(PairTable, FigureIsTheMedianOfLogTimes) {
  const PairTable table(std::vector<Process>{process_of(Side::base, 0, {series_of("b", 100)}),
                                             process_of(Side::head, 0, {series_of("b", 110)})});
  ASSERT_EQ(table.of("b", 0).size(), 1u);
  EXPECT_NEAR(table.of("b", 0)[0].difference(), std::log(1.1), 1e-12);
  EXPECT_NEAR(table.of("b", 0)[0].base, std::log(100), 1e-12);
}

TEST(PairTable, OnlyCompletePairsCount) {
  const PairTable table(std::vector<Process>{process_of(Side::base, 0, {series_of("b", 100)}),
                                             process_of(Side::base, 1, {series_of("b", 100)}),
                                             process_of(Side::head, 1, {series_of("b", 120)})});
  ASSERT_EQ(table.of("b", 0).size(), 1u);
  EXPECT_EQ(table.of("b", 0)[0].pair, 1);
  EXPECT_EQ(table.next_pair(0), 2);
  EXPECT_TRUE(table.of("other", 0).empty());
}

TEST(PairTable, RedonePairCountsByItsLastCompleteAttempt) {
  std::vector<Process> processes{process_of(Side::base, 0, {series_of("b", 100)}),
                                 process_of(Side::head, 0, {series_of("b", 300)})};
  Process base = process_of(Side::base, 0, {series_of("b", 100)});
  Process head = process_of(Side::head, 0, {series_of("b", 200)});
  base.attempt = head.attempt = 1;
  processes.push_back(base);
  processes.push_back(head);
  base.attempt = 2;  // begun, never completed
  base.series[0] = series_of("b", 900);
  processes.push_back(base);
  const PairTable table(processes);
  ASSERT_EQ(table.of("b", 0).size(), 1u);
  EXPECT_NEAR(table.of("b", 0)[0].difference(), std::log(2), 1e-12);
}

TEST(PairTable, BenchmarkRunAgainAloneJoinsItsPair) {
  Process crashed = process_of(Side::head, 0, {series_of("a", 100)});
  crashed.end = ProcessEnd::crashed;
  Process alone = process_of(Side::head, 0, {series_of("b", 150)});
  alone.attempt = 1;
  const PairTable table(
      std::vector<Process>{process_of(Side::base, 0, {series_of("a", 100), series_of("b", 100)}), crashed, alone});
  EXPECT_EQ(table.of("a", 0).size(), 1u);
  ASSERT_EQ(table.of("b", 0).size(), 1u);
  EXPECT_NEAR(table.of("b", 0)[0].difference(), std::log(1.5), 1e-12);
}

TEST(PairTable, RefusesSeriesThatCannotBeTimes) {
  for (double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Series series = series_of("b", 100);
    series.samples_ns[1] = bad;
    EXPECT_FALSE(is_usable(series)) << bad;
  }
  Series wrong = series_of("b", 100);
  wrong.error = "CUDA error";
  const PairTable table(std::vector<Process>{process_of(Side::head, 0, {wrong})});
  EXPECT_EQ(table.own_error("b", Side::head), "CUDA error");
  EXPECT_EQ(table.own_error("b", Side::base), "");
}

TEST(PairTable, RoundsAreNeverPooled) {
  const PairTable table(std::vector<Process>{process_of(Side::base, 0, {series_of("b", 100)}, 0),
                                             process_of(Side::head, 0, {series_of("b", 110)}, 1)});
  EXPECT_TRUE(table.of("b", 0).empty());
  EXPECT_TRUE(table.of("b", 1).empty());
}

TEST(PairTable, SharesTheCostAmongBenchmarks) {
  const PairTable table(std::vector<Process>{process_of(Side::base, 0, {series_of("a", 100), series_of("b", 100)})});
  EXPECT_DOUBLE_EQ(table.gpu_s("a"), 0.25);
  EXPECT_DOUBLE_EQ(table.gpu_s_all(), 0.5);
}

}  // namespace pairs_test
}  // namespace kernelgate

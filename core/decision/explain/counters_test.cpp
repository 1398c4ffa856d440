// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/counters.hpp"

#include <gmock/gmock.h>

namespace kernelgate {
namespace counters_test {

using testing::ElementsAre;
using testing::IsEmpty;

KernelProfile profile(Side side, double hit_rate, double duration, double stall) {
  return {.benchmark = "gemm",
          .side = side,
          .kernel = "gemm",
          .counters = {{"lts__t_sector_hit_rate.pct", hit_rate},
                       {"gpu__time_duration.sum", duration},
                       {"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", stall},
                       {"device__attribute_l2s_count", duration}}};
}

TEST(Counters, TheOneThatMovedMostComesFirst) {
  EXPECT_THAT(
      counter_changes(profile(Side::base, 91.2, 7000, 2.5), profile(Side::head, 40.1, 9100, 10)),
      ElementsAre("stall long_scoreboard 2.5 -> 10", "L2 hit rate 91.2 % -> 40.1 %", "duration 7 µs -> 9.1 µs"));
}

TEST(Counters, TimesAndBytesAreScaled) {
  const auto counted = [](double duration, double bytes) {
    KernelProfile out = profile(Side::base, 90, duration, 1);
    out.counters["dram__bytes.sum"] = bytes;
    return out;
  };
  EXPECT_THAT(counter_changes(counted(940, 22.37e6), counted(4.457e6, 2.942e10)),
              ElementsAre("duration 940 ns -> 4.457 ms", "DRAM traffic 22.37 MB -> 29.42 GB"));
}

TEST(Counters, SmallMovesAreNotSaid) {
  EXPECT_THAT(counter_changes(profile(Side::base, 91, 7000, 0.01), profile(Side::head, 90, 7100, 0.04)), IsEmpty());
}

TEST(Counters, HaveNamesForPeople) {
  EXPECT_EQ(counter_name("sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active")->words,
            "tensor pipe (sm__inst_executed_pipe_tensor)");
  EXPECT_EQ(counter_name("sm__pipe_tma_cycles_active.avg.pct_of_peak_sustained_elapsed")->words, "TMA pipe");
  EXPECT_EQ(counter_name("l1tex__data_bank_conflicts_pipe_lsu.sum")->words, "bank conflicts");
  EXPECT_FALSE(counter_name("device__attribute_chip"));
  EXPECT_FALSE(counter_name(""));
}

TEST(Counters, OnlyWhatRegressedListsThem) {
  SuiteEvidence suite;
  suite.profiles = {profile(Side::base, 90, 7000, 1), profile(Side::head, 40, 7000, 1)};
  std::vector<Comparison> comparisons(2);
  for (Comparison& each : comparisons) each.benchmark = "gemm";
  comparisons[0].verdict = Verdict::regressed;
  add_counter_changes(suite, comparisons);
  EXPECT_THAT(comparisons[0].counter_changes, ElementsAre("L2 hit rate 90 % -> 40 %"));
  EXPECT_THAT(comparisons[1].counter_changes, IsEmpty());
}

}  // namespace counters_test
}  // namespace kernelgate

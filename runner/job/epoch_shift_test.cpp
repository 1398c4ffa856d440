// SPDX-License-Identifier: Apache-2.0
#include "runner/job/epoch_shift.hpp"

#include <gmock/gmock.h>

namespace kernelgate {
namespace epoch_shift_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

EpochFigures figures(const std::string& driver, double control_ns, double a_ns, double b_ns) {
  EpochFigures out;
  out.facts.driver = driver;
  out.facts.host_cpu = "cpu";
  out.commit = "c";
  out.build = "k";
  if (control_ns > 0) out.control = {{"control", "fma", control_ns, 3}};
  out.anchored = {{"gemm", "a", a_ns, 3}, {"gemm", "b", b_ns, 3}};
  return out;
}

TEST(EpochShift, ADriverThatChangedEverythingIsToldFromAKernelThatMovedAlone) {
  const auto shift = compare_epochs(figures("580", 100, 10, 20), figures("590", 104, 10.4, 25), true);
  EXPECT_DOUBLE_EQ(*shift.control, 1.04);
  ASSERT_THAT(shift.benchmarks, SizeIs(2));
  EXPECT_NEAR(shift.benchmarks[0].rest, 1, 1e-12);
  EXPECT_NEAR(shift.benchmarks[1].total, 1.25, 1e-12);
  EXPECT_NEAR(shift.benchmarks[1].rest, 1.25 / 1.04, 1e-12);
  const auto said = describe(shift);
  ASSERT_THAT(said, SizeIs(2));
  EXPECT_THAT(said[0], HasSubstr("(driver 580 -> 590): the environment changed everything: +4.0 % on the control"));
  EXPECT_THAT(said[0], HasSubstr("kept binaries (median)"));
  EXPECT_EQ(said[1],
            "gemm: b moved by +25.0 % at the new epoch: +4.0 % is the environment's, +20.2 % its own code's under it");
}

TEST(EpochShift, AQuietChangeSaysSo) {
  const auto said = describe(compare_epochs(figures("580", 100, 10, 20), figures("590", 100.1, 10, 20), false));
  ASSERT_THAT(said, SizeIs(1));
  EXPECT_THAT(said[0], HasSubstr("changed little: +0.1 % on the control kernels, +0.0 % on the anchored"));
  EXPECT_THAT(said[0], HasSubstr("built anew"));
}

TEST(EpochShift, WithoutAControlSuiteTheAnchoredMedianStandsForTheEnvironment) {
  const auto shift = compare_epochs(figures("1", 0, 10, 20), figures("2", 0, 11, 22), true);
  EXPECT_FALSE(shift.control);
  EXPECT_NEAR(shift.benchmarks[0].environment, 1.1, 1e-12);
  EXPECT_NEAR(shift.benchmarks[0].rest, 1, 1e-12);
  EXPECT_THAT(describe(shift)[0], HasSubstr("everything: +10.0 % on the anchored baseline's kept binaries"));
}

TEST(EpochShift, NothingInCommonIsSaid) {
  EpochFigures now = figures("2", 0, 1, 1);
  now.anchored.clear();
  EXPECT_THAT(describe(compare_epochs(figures("1", 0, 10, 20), now, true)),
              ElementsAre(HasSubstr("its shift is not known")));
}

TEST(EpochShift, FiguresAreKeptAsTheyWere) {
  const auto before = figures("580", 100, 10, 20.5);
  const auto read = decode_figures(encode_figures(before));
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_TRUE(same_facts(read->facts, before.facts));
  EXPECT_EQ(read->commit, "c");
  EXPECT_EQ(read->build, "k");
  ASSERT_THAT(read->anchored, SizeIs(2));
  EXPECT_EQ(read->anchored[1].median_ns, 20.5);
  EXPECT_FALSE(same_facts(read->facts, figures("590", 1, 1, 1).facts));
  for (const char* text : {"", "{}", "[]", "{\"facts\":1}"}) EXPECT_FALSE(decode_figures(text)) << text;
}

}  // namespace epoch_shift_test
}  // namespace kernelgate

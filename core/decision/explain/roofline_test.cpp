// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/roofline.hpp"

#include <gmock/gmock.h>

#include "core/decision/decide.hpp"
#include "tests/support/test_evidence.hpp"

namespace kernelgate {
namespace roofline_test {

using testing::HasSubstr;

// As measured on an H200, with its datasheet's peaks.
Ceilings h200() {
  Ceilings out;
  out.copy_bytes_s = 4.23e12;
  out.l2_bytes_s = 7.2e12;
  out.flops = {{"fp16", 719e12}, {"bf16", 788e12}, {"fp8", 1447e12}, {"fp32", 55e12}};
  out.peak_flops = {{"fp16", 989e12}, {"bf16", 989e12}, {"fp8", 1979e12}, {"fp32", 67e12}};
  out.peak_bytes_s = 4.8e12;
  out.peak_clock_mhz = 1830;
  out.l2_bytes = 60e6;
  return out;
}

// A square matrix product of one size; one call takes `us`.
Work gemm(double n, double us, const std::string& name = "gemm/fp16", double clock_mhz = 0) {
  return work_of(name, {{"flops", 2 * n * n * n}, {"bytes", 3 * n * n * 2}, {"sm_mhz", clock_mhz}}, us / 1e6);
}
Work copied(double bytes, double us, const std::string& name) { return work_of(name, {{"bytes", bytes}}, us / 1e6); }

TEST(Roofline, AMemoryRoofGrowsWithIntensityAMatrixRateDoesNot) {
  EXPECT_DOUBLE_EQ(*roof_rate(h200(), "dram", 10), 4.23e13);
  EXPECT_DOUBLE_EQ(*roof_rate(h200(), "l2", 10), 7.2e13);
  EXPECT_DOUBLE_EQ(*roof_rate(h200(), "bf16", 10), 788e12);
  EXPECT_DOUBLE_EQ(*roof_rate(h200(), "matrix rate", 10), 1447e12);
  EXPECT_FALSE(roof_rate(h200(), "fp64", 10));
  EXPECT_FALSE(roof_rate(h200(), "dram", 0));
  EXPECT_FALSE(roof_rate({}, "dram", 10));
}

TEST(Roofline, NamesStateTypeAndCache) {
  EXPECT_EQ(data_type_of("gemm/bf16/4096/cold"), "bf16");
  EXPECT_EQ(data_type_of("attention<half>/512"), "fp16");
  EXPECT_EQ(data_type_of("gemm/4096"), "");
  EXPECT_EQ(data_type_of("bf16x3/4096"), "");
  EXPECT_TRUE(is_cold("copy/64MiB/cold/manual_time"));
  EXPECT_FALSE(is_cold("copy/64MiB/warm"));
  EXPECT_FALSE(is_cold("coldfusion/64"));
}

TEST(Roofline, CountersSayMoreThanTheName) {
  const Work work = work_of("gemm/fp16/cold", {{"flops", 10}, {"flops_bf16", 10}, {"cold", 0}, {"bytes", 4}}, 1);
  EXPECT_EQ(work.type, "bf16");
  EXPECT_FALSE(work.cold);
  EXPECT_EQ(work.footprint_bytes, 4);
}

TEST(Roofline, TheLowerRoofLimits) {
  const auto matrix = roof_position(gemm(8192, 1600), h200());
  ASSERT_TRUE(matrix);
  EXPECT_EQ(matrix->roof, "fp16");
  EXPECT_NEAR(matrix->fraction, 2 * 8192.0 * 8192 * 8192 / 719e12 / 1600e-6, 1e-12);
  EXPECT_NEAR(matrix->intensity, 8192 / 3.0, 1e-9);
  const auto copy = roof_position(copied(805e6, 201, "copy/cold"), h200());
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->roof, "dram");
  EXPECT_NEAR(copy->fraction, 805e6 / 4.23e12 / 201e-6, 1e-12);
  EXPECT_EQ(roof_position(copied(24e6, 4, "copy/warm"), h200())->roof, "l2");
  EXPECT_EQ(roof_position(gemm(8192, 1600, "gemm/8192"), h200())->roof, "matrix rate");
}

TEST(Roofline, WhatIsNotStatedHasNoPlace) {
  EXPECT_FALSE(roof_position(copied(0, 1, "copy/cold"), h200()));
  EXPECT_FALSE(roof_position(copied(1e9, 0, "copy/cold"), h200()));
  EXPECT_FALSE(roof_position(gemm(1024, 100, "gemm/fp64/cold"), h200()));
  EXPECT_FALSE(roof_position(gemm(1024, 100), {}));
}

TEST(Roofline, OnlyBeyondThePeakIsImpossible) {
  const double at_peak_us = 2 * 8192.0 * 8192 * 8192 / 989e12 * 1e6;
  EXPECT_EQ(why_impossible(gemm(8192, at_peak_us), h200()), "");
  EXPECT_EQ(why_impossible(gemm(8192, at_peak_us / 1.04), h200()), "");
  EXPECT_THAT(why_impossible(gemm(8192, at_peak_us / 1.06), h200()),
              HasSubstr("1.05 PFLOP/s is 1.06 times the datasheet's 989 TFLOP/s of fp16"));
  // Twice as fast is possible in fp8, and without a stated type it might be that.
  EXPECT_EQ(why_impossible(gemm(8192, at_peak_us / 2, "gemm/8192"), h200()), "");
  EXPECT_NE(why_impossible(gemm(8192, at_peak_us / 2.2, "gemm/8192"), h200()), "");
}

TEST(Roofline, TheClockThatWasMeasuredMovesThePeak) {
  const double at_peak_us = 2 * 8192.0 * 8192 * 8192 / 989e12 * 1e6;
  EXPECT_EQ(why_impossible(gemm(8192, at_peak_us / 1.08, "gemm/fp16", 1980), h200()), "");
  EXPECT_THAT(why_impossible(gemm(8192, at_peak_us, "gemm/fp16", 1500), h200()), HasSubstr("fp16 at 1500 MHz"));
}

TEST(Roofline, MemoryCountsOnlyForColdOnesLargerThanTheCache) {
  const auto why = [](const char* name, double bytes) {
    return why_impossible(copied(bytes, bytes / 6e12 * 1e6, name), h200());
  };
  EXPECT_THAT(why("copy/cold", 805e6), HasSubstr("6 TB/s is 1.25 times the datasheet's 4.8 TB/s of memory"));
  EXPECT_EQ(why("copy/warm", 805e6), "");
  EXPECT_EQ(why("copy/cold", 50e6), "");
}

SuiteEvidence timed(double base_us, double head_us, const std::string& benchmark) {
  SuiteEvidence suite = test::suite_named("gemm", {benchmark});
  for (int pair = 0; pair < 4; ++pair)
    for (const Side side : {Side::base, Side::head}) {
      Series series = test::series_of(benchmark, 1e3 * (side == Side::base ? base_us : head_us) * (1 + 1e-4 * pair));
      const Work work = gemm(8192, 1);
      series.counters = {{"flops", work.flops}, {"bytes", work.bytes}};
      suite.processes.push_back(test::process_of(side, pair, {series}));
    }
  return suite;
}

RunDecision decided(SuiteEvidence suite) {
  RunEvidence run;
  run.ceilings = h200();
  run.suites.push_back(std::move(suite));
  return decide_run(run, {}, {});
}

TEST(Roofline, AKernelThatDoesNoWorkIsNoNewBest) {
  const RunDecision idle = decided(timed(1600, 5, "gemm/fp16/8192"));
  EXPECT_EQ(idle.comparisons.front().verdict, Verdict::invalid);
  EXPECT_THAT(idle.comparisons.front().reason, HasSubstr("times the datasheet's"));
  EXPECT_EQ(idle.conclusion, Conclusion::broken);
  const RunDecision faster = decided(timed(1600, 1400, "gemm/fp16/8192"));
  EXPECT_EQ(faster.comparisons.front().verdict, Verdict::improved);
  EXPECT_NEAR(faster.comparisons.front().roof->fraction, 2 * 8192.0 * 8192 * 8192 / 719e12 / 1400e-6, 1e-3);
}

TEST(Roofline, ABaseThatDidNoWorkDecidesNothing) {
  const RunDecision fixed = decided(timed(5, 1600, "gemm/fp16/8192"));
  EXPECT_EQ(fixed.comparisons.front().verdict, Verdict::undecided);
  EXPECT_THAT(fixed.comparisons.front().reason, HasSubstr("base is faster than the hardware can be"));
}

TEST(Roofline, AnAddedBenchmarkIsHeldAgainstItToo) {
  SuiteEvidence suite = timed(1600, 5, "gemm/fp16/8192");
  suite.base_benchmarks.clear();
  std::erase_if(suite.processes, [](const Process& process) { return process.side == Side::base; });
  EXPECT_EQ(decided(suite).comparisons.front().verdict, Verdict::invalid);
}

}  // namespace roofline_test
}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/decision/decide.hpp"
#include "core/decision/rule/device_clock.hpp"
#include "tests/support/test_evidence.hpp"

namespace kernelgate {
namespace device_comparison_test {

using test::add_pairs;
using test::process_of;
using test::suite_named;
using test::wobble;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

KernelTime kernel(const std::string& name, double mean_ns, double per_iteration = 1, double sd_ns = 12) {
  return {.kernel = name,
          .grid = "256,1,1",
          .block = "128,1,1",
          .launches = 4000,
          .per_iteration = per_iteration,
          .mean_ns = mean_ns,
          .sd_ns = sd_ns,
          .samples = 1500};
}

Process device_process(Side side, int pair, std::vector<KernelTime> kernels) {
  Process out = process_of(side, pair, {}, kDeviceRound);
  out.device = DeviceTimes{.benchmark = "b", .kernels = std::move(kernels)};
  return out;
}

// Four pairs whose kernels take what the two functions say of a pair.
template <class Base, class Head>
void add_device_pairs(SuiteEvidence& suite, Base base, Head head, int pairs = 4) {
  suite.clock = ClockKind::both;
  for (int pair = 0; pair < pairs; ++pair) {
    suite.processes.push_back(device_process(Side::base, pair, base(pair)));
    suite.processes.push_back(device_process(Side::head, pair, head(pair)));
  }
}

auto always(std::vector<KernelTime> kernels) {
  return [kernels](int) { return kernels; };
}

SuiteEvidence noisy_host(int pairs = 16) {
  SuiteEvidence suite = suite_named("gemm", {"b"});
  add_pairs(suite, "b", wobble(0, .12, pairs));
  return suite;
}

Comparison judged(const SuiteEvidence& suite, const Policy& policy = {}) {
  return decide_suite(suite, policy, {}).at(0);
}

RunDecision decided(const SuiteEvidence& suite, const Policy& policy = {}) {
  RunEvidence run;
  run.suites = {suite};
  return decide_run(run, policy, {});
}

TEST(DeviceClock, AHostTooNoisyPassesWhereTheDeviceIsProvenUnchanged) {
  SuiteEvidence suite = noisy_host();
  add_device_pairs(suite, always({kernel("fill", 990.5)}), always({kernel("fill", 991.2)}));
  const Comparison got = judged(suite);
  EXPECT_EQ(got.verdict, Verdict::unchanged);
  EXPECT_EQ(got.clock, ClockKind::device);
  EXPECT_THAT(got.reason, StartsWith("unchanged on the device; host time too noisy to tell 3 %: device: +0.07 %"));
  const RunDecision run = decided(suite);
  EXPECT_EQ(run.conclusion, Conclusion::passed);
  EXPECT_EQ(run.summary, "1 unchanged (1 on the device alone)");
}

TEST(DeviceClock, AHostThatWasNotMeasuredToItsEndIsNoNoisyOne) {
  SuiteEvidence suite = noisy_host(6);
  add_device_pairs(suite, always({kernel("fill", 990.5)}), always({kernel("fill", 991.2)}));
  EXPECT_EQ(judged(suite).verdict, Verdict::undecided);
}

TEST(DeviceClock, ASlowdownOnTheDeviceIsRegressedAndNamesTheKernel) {
  SuiteEvidence suite = noisy_host();
  add_device_pairs(suite, always({kernel("void ns::fill<int>(int*)", 990), kernel("scan", 2000)}),
                   always({kernel("void ns::fill<int>(int*)", 1132), kernel("scan", 2000)}));
  const Comparison got = judged(suite);
  EXPECT_EQ(got.verdict, Verdict::regressed);
  EXPECT_EQ(got.clock, ClockKind::device);
  EXPECT_THAT(got.reason, StartsWith("device: +4.75 %"));
  EXPECT_THAT(got.reason, HasSubstr("; fill +14.34 %; host undecided"));
  ASSERT_EQ(got.device->kernels.size(), 2U);
  EXPECT_EQ(got.device->kernels[0].kernel, "fill");
  EXPECT_EQ(got.device->kernels[0].verdict, Verdict::regressed);
  EXPECT_EQ(got.device->kernels[1].verdict, Verdict::unchanged);
  EXPECT_EQ(decided(suite).conclusion, Conclusion::regressed);
}

TEST(DeviceClock, WhatTheHostDoesNotFeelWarnsOrFailsByPolicy) {
  SuiteEvidence suite = suite_named("gemm", {"b"});
  add_pairs(suite, "b", wobble(0, .001, 4));
  add_device_pairs(suite, always({kernel("fill", 990)}), always({kernel("fill", 1132)}));
  EXPECT_EQ(judged(suite).verdict, Verdict::regressed);
  const RunDecision warned = decided(suite);
  EXPECT_EQ(warned.conclusion, Conclusion::passed);
  EXPECT_THAT(warned.reason, HasSubstr("not to feel it"));
  EXPECT_EQ(decided(suite, {.not_felt = OnFinding::fail}).conclusion, Conclusion::regressed);
}

TEST(DeviceClock, ASlowdownOfTheHostAloneStaysRegressed) {
  SuiteEvidence suite = suite_named("gemm", {"b"});
  add_pairs(suite, "b", wobble(.2, .001, 4));
  add_device_pairs(suite, always({kernel("fill", 990)}), always({kernel("fill", 990)}));
  const Comparison got = judged(suite);
  EXPECT_EQ(got.verdict, Verdict::regressed);
  EXPECT_EQ(got.clock, ClockKind::host);
  EXPECT_THAT(got.reason, HasSubstr("; device: "));
}

TEST(DeviceClock, SecondLaunchesCountInTheSumAndAreNamed) {
  SuiteEvidence suite = noisy_host();
  add_device_pairs(suite, always({kernel("fill", 990, 1.04)}), always({kernel("fill", 990, 2.06)}));
  const Comparison got = judged(suite);
  EXPECT_EQ(got.verdict, Verdict::regressed);
  EXPECT_NEAR(*got.device->ratio, 2, 1e-9);
  EXPECT_THAT(got.reason, HasSubstr("fill is launched 2 times, before 1"));
}

TEST(DeviceClock, IterationsThatTheSuiteOnlyTriedDoNotCount) {
  SuiteEvidence suite = noisy_host();
  add_device_pairs(suite, always({kernel("fill", 990, 1.01), kernel("scan", 500, 3.03), kernel("set up", 1e6, .02)}),
                   always({kernel("fill", 990, 1.09), kernel("scan", 500, 3.27), kernel("set up", 1e6, .05)}));
  const Comparison got = judged(suite);
  EXPECT_EQ(got.verdict, Verdict::unchanged);
  EXPECT_NEAR(*got.device->base_ns, 990 + 1500, 1e-6);
  EXPECT_EQ(got.device->kernels.size(), 2U) << "the set-up is none of the loop";
}

TEST(DeviceClock, AStepOf32NsIsNotTakenForCertainty) {
  SuiteEvidence suite = noisy_host();
  KernelTime few = kernel("fill", 800, 1, 0);
  few.samples = 2;
  add_device_pairs(suite, always({few}), always({few}));
  EXPECT_EQ(judged(suite).device->verdict, Verdict::undecided) << "two launches on one step: 4 % either way";
  few.samples = 2000;
  SuiteEvidence many = noisy_host();
  add_device_pairs(many, always({few}), always({few}));
  EXPECT_EQ(judged(many).device->verdict, Verdict::unchanged);
}

TEST(DeviceClock, AKernelOfAnotherShapeIsTheSameOneWhereItIsAlone) {
  SuiteEvidence suite = noisy_host();
  KernelTime other = kernel("fill", 700);
  other.grid = "512,1,1";
  add_device_pairs(suite, always({kernel("fill", 990)}), always({other}));
  const Comparison got = judged(suite);
  ASSERT_EQ(got.device->kernels.size(), 1U);
  EXPECT_EQ(got.device->kernels[0].grid, "512,1,1");
  EXPECT_EQ(got.verdict, Verdict::improved);
}

TEST(DeviceClock, ItsPairsComeFirstAndEndBySuite) {
  SuiteEvidence suite = suite_named("gemm", {"b"});
  suite.clock = ClockKind::both;
  NextMeasurement next = next_measurement(suite, {}, {});
  EXPECT_EQ(next.round, kDeviceRound);
  EXPECT_THAT(next.benchmarks, ElementsAre("b"));
  add_device_pairs(suite, always({kernel("fill", 990)}), always({kernel("fill", 990)}), 3);
  EXPECT_EQ(next_measurement(suite, {}, {}).pair, 3);
  add_device_pairs(suite, always({kernel("fill", 990)}), always({kernel("fill", 990)}));
  EXPECT_EQ(next_measurement(suite, {}, {}).round, 0);
  suite.clock = ClockKind::device;
  EXPECT_TRUE(next_measurement(suite, {}, {}).done);
  const Comparison got = judged(suite);
  EXPECT_EQ(got.verdict, Verdict::unchanged);
  EXPECT_THAT(got.reason, HasSubstr("host not timed"));
}

TEST(DeviceClock, TroubleLeavesTheBenchmarkToTheHost) {
  SuiteEvidence suite = suite_named("gemm", {"b"});
  suite.clock = ClockKind::device;
  Process process = process_of(Side::base, 0, {}, kDeviceRound);
  process.device = DeviceTimes{.benchmark = "b", .trouble = "the program launches no kernel"};
  suite.processes.push_back(process);
  EXPECT_EQ(next_measurement(suite, {}, {}).round, 0);
  add_pairs(suite, "b", wobble(.2, .001, 4));
  const Comparison got = judged(suite);
  EXPECT_EQ(got.verdict, Verdict::regressed);
  EXPECT_FALSE(got.device.has_value());
  EXPECT_THAT(got.reason, HasSubstr("no device times: the program launches no kernel"));
}

}  // namespace device_comparison_test
}  // namespace kernelgate

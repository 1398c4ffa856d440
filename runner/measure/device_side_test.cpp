// SPDX-License-Identifier: Apache-2.0
#include "runner/measure/device_side.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "core/decision/rule/device_clock.hpp"
#include "tests/support/table_suite.hpp"

namespace kernelgate {
namespace device_side_test {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using Lines = std::vector<std::string>;

struct Measured {
  SuiteEvidence evidence;
  std::vector<std::string> notices;
  std::vector<Comparison> comparisons;
};

// The suite itself writes what the injected library would: there is no GPU here.
Measured measure(const Lines& base, const Lines& head, ClockKind clock, const Sandbox& sandbox) {
  const TableSuite base_table(base), head_table(head);
  MeasureRequest request;
  request.setup.sandbox = &sandbox;
  request.setup.spec.name = "gemm";
  request.policy.max_pairs = 4;
  request.seed = 7;
  request.clock = clock;
  request.device_clock = "/dev/null";
  const auto take = [&](const TableSuite& table) {
    SuiteSide side = table.side();
    if (sandbox.mode() != SandboxMode::none) {
      EXPECT_TRUE(sandbox.hand_over(side.mounts.at(0).host));
      side.line = std::string(kInsideBuild) + "/suite";
    }
    return MeasuredSide{side, *list_benchmarks(request.setup, side, {})};
  };
  request.base = take(base_table);
  request.head = take(head_table);
  Measured out;
  out.evidence.name = "gemm";
  CpuProbe probe;
  int order = 0;
  const Status done = measure_suite(request, out.evidence, order, out.notices, probe, {});
  EXPECT_TRUE(done) << to_string(done.error());
  out.comparisons = decide_suite(out.evidence, request.policy, {});
  return out;
}

Measured measure(const Lines& base, const Lines& head, ClockKind clock) {
  static const auto none = Sandbox::open({.none = true});
  return measure(base, head, clock, *none);
}

auto rounds_of(const Measured& measured, int round) {
  return std::count_if(measured.evidence.processes.begin(), measured.evidence.processes.end(),
                       [round](const Process& process) { return process.round == round; });
}

TEST(DeviceSide, FindsTheSlowKernelOfASuiteWhoseHostTimesAreNoise) {
  const auto out = measure({"fill\t9000\tdevice 990"}, {"fill\t9000\tdevice 1133"}, ClockKind::both);
  EXPECT_THAT(out.notices, IsEmpty());
  ASSERT_EQ(out.comparisons.size(), 1U);
  EXPECT_EQ(out.comparisons[0].verdict, Verdict::regressed);
  ASSERT_TRUE(out.comparisons[0].device);
  EXPECT_NEAR(*out.comparisons[0].device->ratio, 1133.0 / 990, 1e-9);
  EXPECT_EQ(out.comparisons[0].device->kernels.at(0).kernel, "fill");
  EXPECT_EQ(out.comparisons[0].device->kernels.at(0).head_launches, 1);
  EXPECT_EQ(rounds_of(out, kDeviceRound), 8) << "one process a benchmark and side, four pairs";
  EXPECT_EQ(rounds_of(out, 0), 8);
  for (const Process& process : out.evidence.processes)
    EXPECT_EQ(process.series.empty(), process.round == kDeviceRound) << "host times under the injection do not count";
}

TEST(DeviceSide, TheDevicesClockAloneTakesNoOtherProcesses) {
  const auto out = measure({"a\t900\tdevice 990", "b\t900\tdevice 990"}, {"a\t900\tdevice 991", "b\t900\tdevice 990"},
                           ClockKind::device);
  ASSERT_EQ(out.comparisons.size(), 2U);
  EXPECT_EQ(out.comparisons[0].verdict, Verdict::unchanged);
  EXPECT_EQ(out.comparisons[1].verdict, Verdict::unchanged);
  EXPECT_EQ(rounds_of(out, kDeviceRound), 16);
  EXPECT_EQ(out.evidence.processes.size(), 16U);
}

TEST(DeviceSide, TheProgramWritesItsFileFromInsideTheSandbox) {
  const auto sandbox = Sandbox::open({});
  if (!sandbox) GTEST_SKIP() << to_string(sandbox.error());
  const auto out = measure({"fill\t900\tdevice 990"}, {"fill\t900\tdevice 1133"}, ClockKind::device, *sandbox);
  EXPECT_THAT(out.notices, IsEmpty());
  ASSERT_EQ(out.comparisons.size(), 1U);
  EXPECT_EQ(out.comparisons[0].verdict, Verdict::regressed) << out.comparisons[0].reason;
}

TEST(DeviceSide, WhereCuptiRefusesTheHostJudges) {
  const auto out = measure({"fill\t900\trefused"}, {"fill\t1200\trefused"}, ClockKind::device);
  EXPECT_THAT(out.notices, Contains(HasSubstr("no device times, the host's clock judges: CUPTI is missing")));
  EXPECT_EQ(out.evidence.clock, ClockKind::host);
  EXPECT_EQ(out.comparisons.at(0).verdict, Verdict::regressed);
  EXPECT_EQ(rounds_of(out, kDeviceRound), 2) << "it is not asked again";
}

TEST(DeviceSide, AProgramWithoutKernelsAndACrashAreTheHosts) {
  const auto out = measure({"cpu\t900", "bad\t900\tdevice 990"}, {"cpu\t1200", "bad\t900\tcrash"}, ClockKind::both);
  for (const Comparison& comparison : out.comparisons) {
    EXPECT_EQ(comparison.verdict, comparison.benchmark == "cpu" ? Verdict::regressed : Verdict::crashed);
    EXPECT_FALSE(comparison.device);
    if (comparison.benchmark == "cpu")
      EXPECT_THAT(comparison.reason, HasSubstr("no device times: the program launches no kernel"));
  }
  EXPECT_EQ(out.comparisons.size(), 2U);
}

}  // namespace device_side_test
}  // namespace kernelgate

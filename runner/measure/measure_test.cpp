// SPDX-License-Identifier: Apache-2.0
#include "runner/measure/measure.hpp"

#include <gmock/gmock.h>

#include <map>

#include "tests/support/table_suite.hpp"

namespace kernelgate {
namespace measure_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Lines = std::vector<std::string>;

struct Measured {
  SuiteEvidence evidence;
  std::vector<std::string> notices;
  std::vector<Process> uploaded;
  Status status;
  std::map<std::string, Comparison> comparisons;
};

class ScriptedProbe final : public DisturbanceProbe {
 public:
  explicit ScriptedProbe(std::vector<bool> disturbed) : disturbed_(std::move(disturbed)) {}
  void process_starts() override {}
  DeviceWindow process_ended() override {
    const bool now = next_ < disturbed_.size() && disturbed_[next_];
    ++next_;
    return {now, now ? "hardware slowdown" : "", "{}"};
  }

 private:
  std::vector<bool> disturbed_;
  std::size_t next_ = 0;
};

// Notes who asked what of the device; `unhealthy` from the first failure on.
class DeviceThatFalls final : public DisturbanceProbe {
 public:
  Status admit(const Say&, const std::stop_token&) override {
    asked += "admit ";
    return {};
  }
  void process_starts() override { asked += "start "; }
  DeviceWindow process_ended() override { return {}; }
  Status after_failure(const std::stop_token&) override {
    asked += "health ";
    if (unhealthy) return fail(Errc::unavailable, "the GPU is unhealthy");
    return {};
  }
  std::string asked;
  bool unhealthy = true;
};

MeasureRequest request_for(const TableSuite* base, const TableSuite* head, std::chrono::seconds timeout) {
  static const auto sandbox = Sandbox::open({.none = true});
  MeasureRequest request;
  request.setup.sandbox = &*sandbox;
  request.setup.spec.name = "gemm";
  request.setup.spec.timeout = timeout;
  request.policy.max_pairs = 4;
  request.seed = 7;
  const auto take = [&](const TableSuite* table) -> std::optional<MeasuredSide> {
    if (table == nullptr) return std::nullopt;
    return MeasuredSide{table->side(), *list_benchmarks(request.setup, table->side(), {})};
  };
  request.base = take(base);
  request.head = take(head);
  return request;
}

Measured measure(const MeasureRequest& request, DisturbanceProbe& probe) {
  Measured out;
  out.evidence.name = request.setup.spec.name;
  int order = 0;
  MeasureHooks hooks;
  hooks.process_ended = [&out](const Process& process) {
    out.uploaded.push_back(process);
    return Status{};
  };
  out.status = measure_suite(request, out.evidence, order, out.notices, probe, hooks);
  for (auto& comparison : decide_suite(out.evidence, request.policy, request.stored))
    out.comparisons[comparison.benchmark] = comparison;
  return out;
}

Measured measure(const Lines& base, const Lines& head, std::chrono::seconds timeout = std::chrono::seconds(60)) {
  const TableSuite base_table(base), head_table(head);
  CpuProbe probe;
  auto out = measure(request_for(&base_table, &head_table, timeout), probe);
  EXPECT_TRUE(out.status) << to_string(out.status.error());
  return out;
}

TEST(MeasureSuite, PairsUntilEveryBenchmarkIsDecided) {
  const auto out =
      measure({"same\t100", "slow\t100", "fast\t100", "gone\t5"}, {"same\t100", "slow\t140", "fast\t70", "new\t5"});
  EXPECT_EQ(out.comparisons.at("same").verdict, Verdict::unchanged);
  EXPECT_EQ(out.comparisons.at("slow").verdict, Verdict::regressed);
  EXPECT_EQ(out.comparisons.at("fast").verdict, Verdict::improved);
  EXPECT_EQ(out.comparisons.at("gone").verdict, Verdict::missing);
  EXPECT_EQ(out.comparisons.at("new").verdict, Verdict::added);
  EXPECT_EQ(out.uploaded.size(), out.evidence.processes.size());
  ASSERT_GE(out.uploaded.size(), 8U);
  for (std::size_t i = 0; i < 8; i += 2) {
    const int pair = static_cast<int>(i / 2);
    EXPECT_EQ(out.uploaded[i].pair, pair);
    EXPECT_EQ(out.uploaded[i].side, first_side(7, "gemm", 0, pair)) << pair;
    EXPECT_NE(out.uploaded[i + 1].side, out.uploaded[i].side) << pair;
  }
}

TEST(MeasureSuite, ACrashFailsOnlyTheBenchmarkThatCrashesAlone) {
  const auto out = measure({"a\t10", "b\t10", "c\t10"}, {"a\t10", "b\t10\tcrash", "c\t10"});
  ASSERT_THAT(out.evidence.failures, SizeIs(1));
  EXPECT_EQ(out.evidence.failures[0].benchmark, "b");
  EXPECT_EQ(out.evidence.failures[0].signal, 11);
  EXPECT_EQ(out.comparisons.at("a").verdict, Verdict::unchanged);
  EXPECT_EQ(out.comparisons.at("b").verdict, Verdict::crashed);
  EXPECT_EQ(out.comparisons.at("c").verdict, Verdict::unchanged);
}

TEST(MeasureSuite, AHangFailsOnlyTheBenchmarkThatHangsAlone) {
  const auto out = measure({"a\t10", "b\t10"}, {"a\t10\thang", "b\t10"}, std::chrono::seconds(2));
  EXPECT_EQ(out.comparisons.at("a").verdict, Verdict::timed_out);
  EXPECT_EQ(out.comparisons.at("b").verdict, Verdict::unchanged);
}

TEST(MeasureSuite, ASuiteThatPrintsNothingHalfOrTooMuchIsNamed) {
  for (const char* does : {"silent", "half", "huge"}) {
    const auto out = measure({"a\t10", "b\t10"}, {"a\t10", std::string("b\t10\t") + does});
    EXPECT_EQ(out.comparisons.at("a").verdict, Verdict::unchanged) << does;
    EXPECT_EQ(out.comparisons.at("b").verdict, Verdict::crashed) << does;
    ASSERT_THAT(out.evidence.failures, SizeIs(1)) << does;
    EXPECT_FALSE(out.evidence.failures[0].text.empty()) << does;
  }
}

TEST(MeasureSuite, TheSuitesOwnErrorIsItsFailure) {
  const auto out = measure({"a\t10", "b\t10"}, {"a\t10", "b\t10\terror an illegal memory access was encountered"});
  EXPECT_EQ(out.comparisons.at("b").verdict, Verdict::crashed);
  EXPECT_THAT(out.evidence.failures.at(0).text, HasSubstr("illegal memory access"));
}

TEST(MeasureSuite, WhatTheSuiteSkipsIsNotOnItsList) {
  const auto out = measure({"a\t10", "b\t10\tskip"}, {"a\t10", "b\t10\tskip"});
  EXPECT_THAT(out.evidence.head_benchmarks, ElementsAre("a"));
  EXPECT_EQ(out.comparisons.count("b"), 0U);
  EXPECT_EQ(measure({"a\t10", "b\t10"}, {"a\t10", "b\t10\tskip"}).comparisons.at("b").verdict, Verdict::missing);
}

TEST(MeasureSuite, AListedLineThatNeverRunsIsChatter) {
  const auto out = measure({"using device 0\t1\tchatter", "a\t10"}, {"using device 0\t1\tchatter", "a\t10"});
  EXPECT_EQ(out.comparisons.at("a").verdict, Verdict::unchanged);
  EXPECT_THAT(out.evidence.failures, IsEmpty());
}

TEST(MeasureSuite, WithoutABaseEachBenchmarkRunsOnce) {
  const TableSuite head({"a\t10", "b\t10\tcrash"});
  CpuProbe probe;
  const auto out = measure(request_for(nullptr, &head, std::chrono::seconds(60)), probe);
  EXPECT_EQ(out.comparisons.at("a").verdict, Verdict::added);
  EXPECT_EQ(out.comparisons.at("b").verdict, Verdict::crashed);
}

TEST(MeasureSuite, ASuiteThatCanNotListFailsAllThatBaseKnows) {
  const TableSuite base({"a\t10", "b\t10"}), head({"a\t10"});
  auto request = request_for(&base, &head, std::chrono::seconds(60));
  request.head->side.line = "kill -ABRT $$ #";
  request.head->listing = *list_benchmarks(request.setup, request.head->side, {});
  CpuProbe probe;
  const auto out = measure(request, probe);
  EXPECT_EQ(out.comparisons.at("a").verdict, Verdict::crashed);
  EXPECT_EQ(out.comparisons.at("b").verdict, Verdict::crashed);
}

TEST(MeasureSuite, ADisturbedPairIsRedoneInTheSameOrder) {
  const TableSuite base({"a\t10"}), head({"a\t10"});
  ScriptedProbe probe({false, true, false, false});
  const auto out = measure(request_for(&base, &head, std::chrono::seconds(60)), probe);
  ASSERT_GE(out.uploaded.size(), 4U);
  EXPECT_TRUE(out.uploaded[1].disturbed);
  EXPECT_EQ(out.uploaded[2].attempt, 1);
  EXPECT_EQ(out.uploaded[2].pair, 0);
  EXPECT_EQ(out.uploaded[2].side, out.uploaded[0].side);
  EXPECT_EQ(out.comparisons.at("a").verdict, Verdict::unchanged);
}

TEST(MeasureSuite, RedosEndAndThePairIsKept) {
  const TableSuite base({"a\t10"}), head({"a\t10"});
  ScriptedProbe probe(std::vector<bool>(100, true));
  const auto out = measure(request_for(&base, &head, std::chrono::seconds(60)), probe);
  EXPECT_EQ(out.comparisons.at("a").verdict, Verdict::unchanged);
  ASSERT_FALSE(out.notices.empty());
  EXPECT_THAT(out.notices[0], HasSubstr("disturbed"));
}

TEST(MeasureSuite, FlagsReadOnlyWhenRunningAreLearnedToo) {
  const TableSuite base({"#min_time=suffixed", "a\t10"}), head({"a\t10"});
  auto request = request_for(&base, &head, std::chrono::seconds(60));
  EXPECT_EQ(request.base->listing.min_time, suite::MinTime::suffixed);
  request.base->listing.min_time = suite::MinTime::plain;
  CpuProbe probe;
  EXPECT_EQ(measure(request, probe).comparisons.at("a").verdict, Verdict::unchanged);
}

TEST(MeasureSuite, AStopIsAnError) {
  const TableSuite base({"a\t10"}), head({"a\t10"});
  const auto request = request_for(&base, &head, std::chrono::seconds(60));
  std::stop_source stop;
  stop.request_stop();
  SuiteEvidence evidence;
  evidence.name = "gemm";
  std::vector<std::string> notices;
  CpuProbe probe;
  int order = 0;
  EXPECT_FALSE(measure_suite(request, evidence, order, notices, probe, {}, stop.get_token()));
}

TEST(MeasureSuite, AfterAFailureTheDeviceIsAskedBeforeAnythingElseStarts) {
  const TableSuite base({"a\t10"}), head({"a\t10\tcrash"});
  auto request = request_for(&base, &head, std::chrono::seconds(60));
  DeviceThatFalls device;
  const auto out = measure(request, device);
  ASSERT_FALSE(out.status);
  EXPECT_EQ(out.status.error().code, Errc::unavailable);
  const bool base_first = first_side(request.seed, "gemm", 0, 0) == Side::base;
  EXPECT_EQ(device.asked, base_first ? "admit start start health " : "admit start health ");
  EXPECT_EQ(out.uploaded.back().end, ProcessEnd::crashed) << "what was found out is kept";
  device.unhealthy = false;
  EXPECT_EQ(measure(request, device).comparisons.at("a").verdict, Verdict::crashed);
}

}  // namespace measure_test
}  // namespace kernelgate

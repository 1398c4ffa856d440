// SPDX-License-Identifier: Apache-2.0
#include "runner/measure/start.hpp"

#include <gmock/gmock.h>

#include <csignal>

#include "platform/process/command_line.hpp"
#include "tests/support/table_suite.hpp"

namespace kernelgate {
namespace start_test {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Lines = std::vector<std::string>;

SuiteSetup setup(std::chrono::seconds timeout = std::chrono::seconds(60)) {
  static const auto sandbox = Sandbox::open({.none = true});
  SuiteSetup out;
  out.sandbox = &*sandbox;
  out.spec.name = "gemm";
  out.spec.timeout = timeout;
  return out;
}

Listing list(const Lines& lines) {
  const TableSuite table(lines);
  const auto listing = list_benchmarks(setup(), table.side(), {});
  EXPECT_TRUE(listing) << to_string(listing.error());
  return listing ? *listing : Listing{};
}

Started start(const Lines& lines, std::vector<std::string> benchmarks = {},
              std::chrono::seconds timeout = std::chrono::seconds(60)) {
  const TableSuite table(lines);
  StartRequest request;
  request.benchmarks = std::move(benchmarks);
  const auto started = start_suite(setup(timeout), table.side(), request, {});
  EXPECT_TRUE(started) << to_string(started.error());
  return started ? *started : Started{};
}

TEST(ListBenchmarks, FindsTheSpellingOfTheLeastTime) {
  EXPECT_EQ(list({"a\t10"}).min_time, suite::MinTime::plain);
  EXPECT_EQ(list({"#min_time=suffixed", "a\t10"}).min_time, suite::MinTime::suffixed);
  EXPECT_EQ(list({"#min_time=absent", "a\t10"}).min_time, suite::MinTime::absent);
  EXPECT_THAT(list({"#min_time=absent", "a\t10", "b/1\t2"}).benchmarks, ElementsAre("a", "b/1"));
}

TEST(ListBenchmarks, AProgramThatIsNotThereIsAFailure) {
  SuiteSide nothing{"/nowhere/suite", {{"/tmp", std::string(kInsideBuild), false}}};
  const auto listing = list_benchmarks(setup(), nothing, {});
  ASSERT_TRUE(listing);
  EXPECT_EQ(listing->ended.end, ProcessEnd::failed);
  EXPECT_THAT(listing->ended.text, HasSubstr("exit code 127"));
}

TEST(StartSuite, DropsTheWarmUp) {
  const auto started = start({"a\t10", "b\t20"});
  EXPECT_EQ(started.ended.end, ProcessEnd::ok);
  ASSERT_THAT(started.series, SizeIs(2));
  EXPECT_THAT(started.series[1].samples_ns, SizeIs(9));
  EXPECT_THAT(started.series[1].samples_ns, Each(20));
}

// Else its upload would be refused, and the run be measured again until nobody is to blame.
TEST(StartSuite, AResultThatCannotBeUploadedIsNone) {
  const TableSuite table({"a\t10"});
  SuiteSide side = table.side();
  side.line =
      R"(f() { printf '{"context":{},"benchmarks":[{"name":"a","real_time":1,"cpu_time":1,"time_unit":"us","'; )"
      R"(head -c 8000000 /dev/zero | tr '\0' x; printf '":1}]}'; }; f)";
  const auto started = start_suite(setup(), side, {}, {});
  ASSERT_TRUE(started) << to_string(started.error());
  EXPECT_EQ(started->ended.end, ProcessEnd::garbage);
  EXPECT_THAT(started->ended.text, HasSubstr("7 at most"));
  EXPECT_THAT(started->series, IsEmpty());
}

TEST(StartSuite, OddNamesReachTheSuiteAndComeBack) {
  const std::vector<std::string> names{"q\"uote/$(exit 3)/'x'", "größe µ/1|2", "back\\slash"};
  const auto started = start({names[0] + "\t1", names[1] + "\t2", names[2] + "\t3", "other\t4"}, names);
  ASSERT_THAT(started.series, SizeIs(3)) << started.ended.text;
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(started.series[i].benchmark, names[i]);
}

TEST(StartSuite, BadEndsAreNamed) {
  struct Case {
    const char* does;
    ProcessEnd end;
    const char* text;
  };
  for (const Case& c :
       {Case{"crash", ProcessEnd::crashed, "signal 11"}, Case{"exit 3", ProcessEnd::failed, "misaligned"},
        Case{"silent", ProcessEnd::garbage, "in the middle"}, Case{"half", ProcessEnd::garbage, "middle"},
        Case{"huge", ProcessEnd::garbage, "MB"}, Case{"aggregates", ProcessEnd::garbage, "aggregates only"},
        Case{"chatter", ProcessEnd::garbage, "no benchmark"}}) {
    const auto started = start({std::string("a\t10\t") + c.does});
    EXPECT_EQ(started.ended.end, c.end) << c.does;
    EXPECT_THAT(started.ended.text, HasSubstr(c.text)) << c.does;
    EXPECT_THAT(started.series, IsEmpty()) << c.does;
  }
}

TEST(StartSuite, WhatADeadProgramFinishedIsKept) {
  const auto started = start({"a\t10", "b\t20\tcrash"});
  EXPECT_EQ(started.ended.end, ProcessEnd::crashed);
  ASSERT_THAT(started.series, SizeIs(1));
  EXPECT_EQ(started.series[0].benchmark, "a");
}

TEST(StartSuite, AHangEndsAtTheTimeOut) {
  const auto started = start({"a\t10\thang"}, {}, std::chrono::seconds(1));
  EXPECT_EQ(started.ended.end, ProcessEnd::timed_out);
}

TEST(StartSuite, AResultOnStdoutIsFoundAmongChatter) {
  const TableSuite table({"a\t10"});
  SuiteSide side = table.side();
  side.line = "run() { shift; echo '{hello'; '" + side.line + "' \"$@\"; }; run";  // without --benchmark_out
  const auto started = start_suite(setup(), side, {}, {});
  ASSERT_TRUE(started);
  EXPECT_THAT(started->series, SizeIs(1)) << started->ended.text;
}

TEST(StartSuite, AnEmptyProgramWroteNoResult) {
  const TableSuite table({});
  SuiteSide side = table.side();
  side.line = "true";
  const auto started = start_suite(setup(), side, {}, {});
  ASSERT_TRUE(started);
  EXPECT_EQ(started->ended.end, ProcessEnd::garbage);
  EXPECT_THAT(started->ended.text, HasSubstr("wrote no result"));
}

// A program of another format, with the arguments that choose what it does.
SuiteSide other(const char* program, const std::string& arguments) {
  return {shell_quote(std::string(KG_SUPPORT_DIR) + "/" + program) + " " + arguments,
          {{KG_SUPPORT_DIR, std::string(kInsideBuild), false}}};
}

TEST(OtherFormats, AStateOfNvbenchIsListedStartedAndReadAlone) {
  SuiteSetup how = setup();
  how.spec.format = SuiteFormat::nvbench;
  for (const auto& [kind, spelling] :
       {std::pair("new", suite::MinTime::plain), std::pair("old", suite::MinTime::absent)}) {
    const SuiteSide side = other("nvbench_suite.sh", kind);
    const auto listing = list_benchmarks(how, side, {});
    ASSERT_TRUE(listing) << to_string(listing.error());
    EXPECT_THAT(listing->benchmarks, ElementsAre("copy/N=1", "copy/N=2")) << listing->ended.text;
    EXPECT_EQ(listing->min_time, spelling);
    StartRequest request;
    request.benchmarks = {"copy/N=2"};
    request.min_time = listing->min_time;
    const auto started = start_suite(how, side, request, {});
    ASSERT_TRUE(started) << to_string(started.error());
    ASSERT_THAT(started->series, SizeIs(1)) << started->ended.text;
    EXPECT_EQ(started->series[0].benchmark, "copy/N=2");
    EXPECT_THAT(started->series[0].samples_ns, Each(testing::DoubleNear(1e4, 1)));
  }
}

TEST(OtherFormats, ACrashOfNvbenchKeepsItsSignal) {
  SuiteSetup how = setup();
  how.spec.format = SuiteFormat::nvbench;
  const auto started = start_suite(how, other("nvbench_suite.sh", "crash"), {}, {});
  ASSERT_TRUE(started);
  EXPECT_EQ(started->ended.end, ProcessEnd::crashed) << started->ended.text;
  EXPECT_EQ(started->ended.signal, SIGSEGV);
  EXPECT_THAT(started->series, IsEmpty());
}

TEST(OtherFormats, WhatPytestMeasuredBeforeATestFailedIsKept) {
  SuiteSetup how = setup();
  how.spec.format = SuiteFormat::pytest_benchmark;
  const SuiteSide side = other("pytest_suite.sh", shell_quote(KG_PYTEST_DIR));
  const auto listing = list_benchmarks(how, side, {});
  ASSERT_TRUE(listing);
  EXPECT_THAT(listing->benchmarks, SizeIs(6)) << listing->ended.text;
  const auto started = start_suite(how, side, {.benchmarks = {"test_golden.py::test_gemm[64]"}}, {});
  ASSERT_TRUE(started);
  EXPECT_EQ(started->ended.end, ProcessEnd::failed);
  ASSERT_THAT(started->series, SizeIs(1));
  EXPECT_THAT(started->series[0].samples_ns, SizeIs(9)) << "the warm-up is dropped";
}

}  // namespace start_test
}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#include "commands/duel/duel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "commands/commands.hpp"
#include "tests/support/table_suite.hpp"

namespace kernelgate::local {
namespace duel_test {

using testing::HasSubstr;

const std::vector<std::string> kQuiet{"gemm/64\t1000\tnoisy 0.002", "gemm/128\t8000\tnoisy 0.002"};
const std::vector<std::string> kSlower{"gemm/64\t1000\tnoisy 0.002", "gemm/128\t8800\tnoisy 0.002"};

DuelRequest between(const TableSuite& before, const TableSuite& after) {
  DuelRequest out;
  out.old_command = before.side().line;
  out.new_command = after.side().line;
  out.folder = std::filesystem::temp_directory_path();
  return out;
}

Result<DuelOutcome> fought(const DuelRequest& request) {
  return duel(request, [](const std::string&) {}, {});
}

std::string refusal(const DuelRequest& request) {
  const auto outcome = fought(request);
  return outcome ? "no error" : to_string(outcome.error());
}

TEST(Duel, ASlowerBenchmarkIsNamedAndAnEqualOnePasses) {
  const TableSuite before(kQuiet), after(kSlower);
  const auto outcome = fought(between(before, after));
  ASSERT_TRUE(outcome) << to_string(outcome.error());
  EXPECT_EQ(outcome->decision.conclusion, Conclusion::regressed);
  ASSERT_EQ(outcome->decision.comparisons.size(), 2u);
  for (const Comparison& one : outcome->decision.comparisons)
    EXPECT_EQ(one.verdict, one.benchmark == "gemm/128" ? Verdict::regressed : Verdict::unchanged) << one.benchmark;
  EXPECT_GT(outcome->gpu_s, 0);
}

// A program of no framework: --list, --filter, --repetitions, and no other flag.
TEST(Duel, AProgramThatPrintsSamplesIsKnownByItsList) {
  const auto folder = std::filesystem::temp_directory_path() / ("kg_samples_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "suite.sh") << R"(#!/bin/sh
time=$1; shift; n=0
for flag in "$@"; do case $flag in
  --list) echo '{"benchmark": "copy"}'; exit ;;
  --repetitions=*) n=${flag#*=} ;;
  --filter='^(copy)$') ;;
  *) echo "unknown flag $flag" >&2; exit 2 ;;
esac; done
echo "warming up"
printf '{"benchmark": "copy", "samples_ns": [%s' "$time"
while [ "$n" -gt 1 ]; do printf ', %s' "$time"; n=$((n - 1)); done
echo ']}'
)";
  const std::string program = "sh " + (folder / "suite.sh").string();
  DuelRequest request{.old_command = program + " 1000", .new_command = program + " 1200"};
  request.folder = folder;
  const auto outcome = fought(request);
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(outcome) << to_string(outcome.error());
  EXPECT_EQ(outcome->decision.conclusion, Conclusion::regressed);
  ASSERT_EQ(outcome->decision.comparisons.size(), 1u);
  EXPECT_EQ(outcome->decision.comparisons[0].benchmark, "copy");
}

TEST(Duel, AFilterLeavesTheRestAlone) {
  const TableSuite before(kQuiet), after(kSlower);
  DuelRequest request = between(before, after);
  request.filter = "64";
  const auto outcome = fought(request);
  ASSERT_TRUE(outcome) << to_string(outcome.error());
  EXPECT_EQ(outcome->decision.conclusion, Conclusion::passed);
  request.filter = "conv";
  EXPECT_THAT(refusal(request), HasSubstr("no benchmark matches 'conv'"));
  request.filter = "(";
  EXPECT_THAT(refusal(request), HasSubstr("'(' is not a valid regular expression"));
}

TEST(Duel, WhatFailsItsCheckIsNotTimed) {
  const TableSuite before(kQuiet), after(kSlower);
  DuelRequest request = between(before, after);
  request.check = "echo 'result of 128 is wrong'; exit 1";
  const auto outcome = fought(request);
  ASSERT_TRUE(outcome) << to_string(outcome.error());
  EXPECT_EQ(outcome->decision.conclusion, Conclusion::broken);
  EXPECT_THAT(outcome->check_log, HasSubstr("result of 128 is wrong"));
  EXPECT_EQ(outcome->gpu_s, 0);
}

TEST(Duel, LinesForTheShellAndArgumentsStartBothPrograms) {
  const TableSuite before(kQuiet), after(kQuiet);
  const std::string folder = std::filesystem::path(before.side().line).parent_path();
  // Fails unless it gets the argument, as one word, and the caller's environment.
  const std::string guard = "test \"$1\" = 'two words' && test \"$KG_DUEL_TEST\" = here || exit 9; shift; ";
  for (const TableSuite* suite : {&before, &after}) {
    const std::filesystem::path script = std::filesystem::path(suite->side().line).parent_path() / "start.sh";
    std::ofstream(script) << guard << "exec \"$(dirname \"$0\")/suite\" \"$@\"\n";
  }
  DuelRequest request = between(before, after);
  request.old_command = "sh " + folder + "/start.sh";
  request.new_command = "sh " + std::filesystem::path(after.side().line).parent_path().string() + "/start.sh";
  request.arguments = {"two words"};
  request.policy.max_pairs = 4;
  setenv("KG_DUEL_TEST", "here", 1);
  const auto outcome = fought(request);
  unsetenv("KG_DUEL_TEST");
  ASSERT_TRUE(outcome) << to_string(outcome.error());
  EXPECT_EQ(outcome->decision.comparisons.size(), 2u);
  EXPECT_THAT(refusal(request), HasSubstr("does not list its benchmarks"));  // without the variable
}

TEST(Duel, WhatIsNoSuiteIsSaid) {
  const TableSuite before(kQuiet), after(kQuiet);
  DuelRequest request = between(before, after);
  request.new_command = "./nothing-here";
  EXPECT_THAT(refusal(request), HasSubstr("no such file"));
  request.new_command = "/usr";
  EXPECT_THAT(refusal(request), HasSubstr("is a folder"));
  request.new_command = " ";
  EXPECT_THAT(refusal(request), HasSubstr("no command"));
  request.new_command = "/bin/true";
  EXPECT_THAT(refusal(request), HasSubstr("NEW does not list its benchmarks (as google-benchmark: "));
  request.policy.tolerate = .5;
  EXPECT_THAT(refusal(request), HasSubstr("tolerate"));
}

TEST(Duel, AProgramThatIgnoresItsFlagsHasNoBenchmarks) {
  const TableSuite before(kQuiet), after(kQuiet);
  DuelRequest request = between(before, after);
  request.new_command = "echo hello; true";
  const std::string why = " does not list its benchmarks (as google-benchmark: it prints lines where none is asked for";
  EXPECT_THAT(refusal(request), HasSubstr("NEW" + why + ")"));
  request.old_command = request.new_command;
  EXPECT_THAT(refusal(request), HasSubstr("OLD" + why + "; as nvbench: "));
  request.old_command = "/bin/echo";  // says its flags back
  EXPECT_THAT(refusal(request), HasSubstr("OLD" + why + "; as nvbench: "));
}

TEST(Duel, ACheckThatCannotBeStartedIsTheCallersMistake) {
  const TableSuite before(kQuiet), after(kSlower);
  DuelRequest request = between(before, after);
  request.check = "no-such-check-program";
  EXPECT_THAT(refusal(request), HasSubstr("--check: the check cannot be started: "));
  request.check = "/";
  EXPECT_THAT(refusal(request), HasSubstr("--check: the check cannot be started: "));
}

TEST(Duel, AProcessorThatIsNotThereIsNamed) {
  const TableSuite before(kQuiet), after(kQuiet);
  DuelRequest request = between(before, after);
  request.cpus = {4095};
  EXPECT_THAT(refusal(request), HasSubstr("--cpus: there is no processor 4095 here"));
}

TEST(Duel, AStopKeepsWhatWasMeasured) {
  const TableSuite before(kQuiet), after(kSlower);
  DuelRequest request = between(before, after);
  std::stop_source stop;
  const auto stop_in_pair = [&stop](const std::string& said) {
    return [&stop, said](const std::string& text) {
      if (text.find(said) != text.npos) stop.request_stop();
    };
  };
  const auto outcome = duel(request, stop_in_pair("pair 2 "), stop.get_token());
  ASSERT_TRUE(outcome) << to_string(outcome.error());
  EXPECT_TRUE(outcome->stopped);
  ASSERT_EQ(outcome->decision.comparisons.size(), 2u);
  for (const Comparison& one : outcome->decision.comparisons) EXPECT_EQ(one.pairs, 1) << one.benchmark;
  EXPECT_NE(outcome->decision.conclusion, Conclusion::passed);
  // Nothing was measured yet: nothing to show.
  EXPECT_FALSE(duel(
      request, [](const std::string&) {}, stop.get_token()));
}

TEST(Duel, TheCommandSaysWhatItFoundByItsExitCode) {
  const TableSuite before(kQuiet), after(kSlower);
  const auto code_of = [](const std::vector<std::string>& words) {
    std::vector<const char*> argv{"kernelgate", "duel"};
    for (const std::string& word : words) argv.push_back(word.c_str());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = cli::run(static_cast<int>(argv.size()), argv.data());
    return std::pair(code, testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr());
  };
  const auto [slower, table] = code_of({before.side().line, after.side().line});
  EXPECT_EQ(slower, 1) << table;
  EXPECT_THAT(table, HasSubstr("gemm/128"));
  EXPECT_EQ(code_of({before.side().line, before.side().line, "--filter", "64"}).first, 0);
  EXPECT_EQ(code_of({before.side().line, "./nothing-here"}).first, 2);
}

}  // namespace duel_test
}  // namespace kernelgate::local

// SPDX-License-Identifier: Apache-2.0
#include "runner/build/stages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

namespace kernelgate::build_detail {
namespace stages_test {

using testing::HasSubstr;

constexpr Disk kRoomy{.free_before = 100ull << 30, .free_bytes = 90ull << 30, .written_bytes = 1ull << 30};

std::optional<Errc> fault(const std::string& stage, const ProcessResult& result, const Disk& disk = kRoomy) {
  const auto error = not_the_commits_fault(stage, result, disk);
  return error ? std::optional(error->code) : std::nullopt;
}

ProcessResult failed(const std::string& log, int exit_code = 1, int signal = 0) {
  ProcessResult result;
  result.exit_code = signal != 0 ? -1 : exit_code;
  result.signal = signal;
  result.out = log;
  return result;
}

TEST(Stages, AnErrorOfTheCompilerIsTheCommitsFault) {
  EXPECT_EQ(fault("build", failed("k.cpp:3:1: error: expected ';'")), std::nullopt);
  EXPECT_EQ(fault("configure", failed("CMake Error")), std::nullopt);
  EXPECT_EQ(fault("build", failed("internal compiler error", -1, SIGSEGV)), std::nullopt);
}

TEST(Stages, AStopAFailedFetchAndADiskThatOthersFilledAreNot) {
  EXPECT_EQ(fault("fetch", failed("could not resolve host")), Errc::unavailable);
  auto stopped = failed("");
  stopped.cancelled = true;
  EXPECT_EQ(fault("build", stopped), Errc::unavailable);
  Disk full{.free_before = 1ull << 30, .free_bytes = 1000, .written_bytes = 100ull << 20};
  EXPECT_EQ(fault("build", failed("ld: error"), full), Errc::io);
  full.written_bytes = 1ull << 30;  // what was free is in the build's own files
  EXPECT_EQ(fault("build", failed("ld: error"), full), std::nullopt);
}

// Until 2026-11-22 the words decided, and the author chose them: `#error "No space left on device"`.
TEST(Stages, WordsAndExitCodesOfTheAuthorsChoiceExcuseNothing) {
  for (const char* words : {"#error \"No space left on device\"", "Killed signal terminated program cc1plus",
                            "virtual memory exhausted", "Disk quota exceeded"})
    EXPECT_EQ(fault("build", failed(words)), std::nullopt) << words;
  EXPECT_EQ(fault("build", failed("", -1, SIGKILL)), std::nullopt);
  EXPECT_EQ(fault("build", failed("", 128 + SIGKILL)), std::nullopt);  // sh -c 'exit 137' looks the same
  auto late = failed("");
  late.timed_out = true;
  EXPECT_EQ(fault("build", late), std::nullopt);
}

TEST(Stages, WhatAnotherTryMightBuildIsNotRemembered) {
  auto late = failed("");
  late.timed_out = true;
  EXPECT_TRUE(may_end_otherwise(late, kRoomy));
  EXPECT_TRUE(may_end_otherwise(failed("", -1, SIGKILL), kRoomy));
  EXPECT_TRUE(may_end_otherwise(failed("sh: cmake: not found", 127), kRoomy));
  EXPECT_TRUE(may_end_otherwise(failed(""), {.free_before = 100, .free_bytes = 0, .written_bytes = 100}));
  EXPECT_FALSE(may_end_otherwise(failed("k.cpp:3:1: error"), kRoomy));
}

TEST(Stages, TheToolchainsVersionsAreKnown) {
  const auto sandbox = Sandbox::open({});
  ASSERT_TRUE(sandbox) << to_string(sandbox.error());
  const auto text = describe_toolchain(*sandbox);
  ASSERT_TRUE(text) << to_string(text.error());
  EXPECT_THAT(*text, HasSubstr("c++ /usr/bin/c++"));
  EXPECT_THAT(*text, HasSubstr("cmake version"));
  EXPECT_EQ(*text, *describe_toolchain(*sandbox));
}

}  // namespace stages_test
}  // namespace kernelgate::build_detail

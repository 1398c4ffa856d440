// SPDX-License-Identifier: Apache-2.0
#include "runner/build/stages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

namespace kernelgate::build_detail {
namespace stages_test {

using testing::HasSubstr;

std::optional<Errc> fault(const std::string& stage, const ProcessResult& result) {
  const auto error = not_the_commits_fault(stage, result);
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

TEST(Stages, AFullDiskAKillATimeoutAndAFailedFetchAreNot) {
  EXPECT_EQ(fault("build", failed("ld: final link failed: No space left on device")), Errc::io);
  EXPECT_EQ(fault("build", failed("g++: fatal error: Killed signal terminated program cc1plus")), Errc::unavailable);
  EXPECT_EQ(fault("build", failed("", -1, SIGKILL)), Errc::unavailable);
  EXPECT_EQ(fault("fetch", failed("could not resolve host")), Errc::unavailable);
  auto late = failed("");
  late.timed_out = true;
  EXPECT_EQ(fault("build", late), Errc::timed_out);
  EXPECT_THAT(not_the_commits_fault("build", late)->fix, HasSubstr("timeout"));
  auto stopped = failed("");
  stopped.cancelled = true;
  EXPECT_EQ(fault("build", stopped), Errc::unavailable);
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

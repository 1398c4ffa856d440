// SPDX-License-Identifier: Apache-2.0
#include "commands/completion.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "commands/commands.hpp"

namespace kernelgate::cli {
namespace completion_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string offered(std::vector<const char*> words) {
  words.insert(words.begin(), {"kernelgate", "__complete"});
  testing::internal::CaptureStdout();
  EXPECT_EQ(run(static_cast<int>(words.size()), words.data()), 0);
  return "\n" + testing::internal::GetCapturedStdout();
}

TEST(Completion, CommandsAreOffered) {
  EXPECT_THAT(offered({""}), AllOf(HasSubstr("\nrun\n"), HasSubstr("\nduel\n"), Not(HasSubstr("--"))));
  EXPECT_EQ(offered({"ru"}), "\nrun\nrunner\nruns\n");
  EXPECT_EQ(offered({"runs", "s"}), "\nshow\n");
  EXPECT_EQ(offered({"runs", "show", ""}), "\n");
  EXPECT_EQ(offered({"nothing-like-it"}), "\n");
  EXPECT_EQ(offered({}), "\n");
}

TEST(Completion, FlagsAreThoseOfTheCommandAndOfTheProgram) {
  EXPECT_EQ(offered({"runs", "list", "--st"}), "\n--state\n");
  EXPECT_EQ(offered({"runs", "list", "--log"}), "\n--log-level\n");
  EXPECT_EQ(offered({"--vers"}), "\n--version\n");
}

TEST(Completion, TheValueOfAFlagIsTheShellsAffair) {
  EXPECT_EQ(offered({"--log-level", ""}), "\n");
  EXPECT_EQ(offered({"run", "--repo", "r"}), "\n");
  EXPECT_EQ(offered({"--log-level", "info", "due"}), "\nduel\n");
  EXPECT_EQ(offered({"runs", "list", "--limit", "3", "--st"}), "\n--state\n");
}

}  // namespace completion_test
}  // namespace kernelgate::cli

// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "commands/version.hpp"

namespace kernelgate::cli {
namespace cli_test {

using testing::HasSubstr;

struct Outcome {
  int exit_code;
  std::string out, err;
};

Outcome run_with(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "kernelgate");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int exit_code = run(static_cast<int>(arguments.size()), arguments.data());
  return {exit_code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

TEST(Program, BadInputIsExitCodeTwoWithAHint) {
  for (const std::vector<const char*>& arguments :
       {std::vector<const char*>{}, {"no-such-command"}, {"--no-such-flag"}, {"--log-level", "loud"}}) {
    const Outcome outcome = run_with(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << testing::PrintToString(arguments);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("Try 'kernelgate --help'"));
  }
}

TEST(Program, AMistypedWordIsNamedWithTheOneThatWasMeant) {
  struct Case {
    std::vector<const char*> words;
    const char* said;
  };
  const std::vector<Case> cases{
      {{"rnu"}, "kernelgate: no command 'rnu' (did you mean 'run'?)\nTry 'kernelgate --help'."},
      {{"run", "--bsae", "x"}, "kernelgate: no flag '--bsae' (did you mean '--base'?)\nTry 'kernelgate run --help'."},
      {{"run", "--bsae=x"}, "no flag '--bsae' (did you mean '--base'?)"},
      {{"hook", "instal"}, "no command 'instal' (did you mean 'install'?)\nTry 'kernelgate hook --help'."},
      {{"--lgo-level", "info", "run"}, "no flag '--lgo-level' (did you mean '--log-level'?)"},
      {{"quite-something-else"}, "kernelgate: no command 'quite-something-else'\n"}};
  for (const Case& one : cases) {
    const Outcome outcome = run_with(one.words);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(one.said));
  }
}

TEST(Program, HelpListsTheExitCodes) {
  const Outcome outcome = run_with({"--help"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("3  undecided"));
  EXPECT_EQ(outcome.err, "");
}

TEST(Program, VersionNamesTheRevision) {
  const Outcome outcome = run_with({"--version"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, version_line() + "\n");
  EXPECT_THAT(outcome.out, testing::MatchesRegex("kernelgate [0-9.]+ \\([0-9a-z-]+\\)\n"));
}

TEST(Program, ErrorsOfTheCallerAndOfTheMachineDiffer) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(complain({Errc::not_found, "no such commit", "HEAD~99", ""}), 2);
  EXPECT_EQ(complain({Errc::unavailable, "connection refused", "", "start the server"}), 4);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "kernelgate: HEAD~99: no such commit\nkernelgate: connection refused (start the server)\n");
}

}  // namespace cli_test
}  // namespace kernelgate::cli

// SPDX-License-Identifier: Apache-2.0
#include "platform/process/command_line.hpp"

#include <gtest/gtest.h>

#include "platform/process/process.hpp"

namespace kernelgate {
namespace command_line_test {

std::string run_line(const std::string& line, const std::vector<std::string>& extra) {
  const auto result = run_process({.argv = shell_argv(line, extra), .env = {"PATH=/usr/bin:/bin"}});
  return result ? result->out : to_string(result.error());
}

TEST(ShellArgv, ArgumentsAreNeverReadAsShellCode) {
  const std::string nasty = "a b'c\"; $(touch /tmp/x) `id` *?\xC3\xA9";
  EXPECT_EQ(run_line("printf '%s|' fixed", {nasty, ""}), "fixed|" + nasty + "||");
  EXPECT_EQ(run_line("A=1 sh -c 'echo $A'", {}), "1\n");
}

TEST(ShellQuote, MakesOneWord) {
  const std::string nasty = "it's $HOME; \"x\"";
  EXPECT_EQ(run_line("printf '%s|' " + shell_quote(nasty), {}), nasty + "|");
}

TEST(ShellWord, QuotesOnlyWhatTheShellWouldChange) {
  EXPECT_EQ(shell_word("/work/build"), "/work/build");
  EXPECT_EQ(shell_word("/tmp/a repository"), "'/tmp/a repository'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace command_line_test
}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#include "runner/build/shell_line.hpp"

#include <gtest/gtest.h>

#include "platform/process/command_line.hpp"
#include "platform/process/process.hpp"

namespace kernelgate {
namespace shell_line_test {

std::string output_of(const ShellLine& line) {
  ProcessSpec spec;
  spec.argv = shell_argv(line.text(), {"one more"});
  spec.env = {"PATH=/usr/bin:/bin"};
  const auto ended = run_process(spec);
  return ended ? ended->out + ended->err : to_string(ended.error());
}

TEST(ShellLineTest, WithoutASettingItIsTheCommandAlone) {
  const auto line = shell_line({}, "{build}/p {source}/x", "/s", "/b c");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->before, "");
  EXPECT_EQ(line->command, "'/b c'/p /s/x");
}

TEST(ShellLineTest, FolderAndEnvironmentComeFirstAndAreNoShellCode) {
  const CommandSetting setting{
      .cwd = "{build}", .env = {{"A", "$(id) 'x' \"{source}\""}, {"B", ""}}, .path = {"{source}/my tools", "/opt/x"}};
  const auto line = shell_line(setting, "echo \"$A|$B|$PATH|$PWD\"", "/a b's", "/usr/lib");
  ASSERT_TRUE(line);
  EXPECT_EQ(output_of(*line), "$(id) 'x' \"/a b's\"||/a b's/my tools:/opt/x:/usr/bin:/bin|/usr/lib one more\n");
  EXPECT_EQ(line->command, "echo \"$A|$B|$PATH|$PWD\"");
}

TEST(ShellLineTest, ALeadingCdIsSplitOff) {
  const auto line = shell_line({}, "cd {source} && pwd", "/usr/lib", "/b");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->command, "pwd");
  EXPECT_EQ(line->before, "cd /usr/lib || exit 1\n");
}

TEST(ShellLineTest, AFolderThatIsNotThereEndsTheCommand) {
  const auto line = shell_line({"{build}/nowhere", {}, {}}, "echo ran", "/s", "/usr");
  ASSERT_TRUE(line);
  EXPECT_EQ(output_of(*line).find("ran"), std::string::npos);
}

}  // namespace shell_line_test
}  // namespace kernelgate

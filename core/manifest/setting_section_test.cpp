// SPDX-License-Identifier: Apache-2.0
// cwd, env, path, data and submodules of a manifest, and lines that begin with cd.
#include <gmock/gmock.h>

#include "core/manifest/manifest.hpp"
#include "core/units/limits.hpp"

namespace kernelgate {
namespace setting_section_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

Result<Manifest> with(const std::string& build, const std::string& suite) {
  return parse_manifest(
      "schema = 1\n[build]\nbuild = \"make\"\n" + build + "[[suite]]\nname = \"s\"\nrun = \"./s\"\n" + suite, "k.toml");
}

std::string error_of(const std::string& lines) {
  const auto parsed = with("", lines);
  return parsed ? "accepted" : to_string(parsed.error());
}

TEST(SettingSection, IsReadOfBuildAndSuite) {
  const auto both = with(
      "cwd = \"{source}/lib\"\npath = [\"/opt/cmake/bin\"]\nenv = { CC = \"clang\", A_B1 = \"\" }\n"
      "submodules = [\"third_party/cutlass\"]\n",
      "cwd = \"{build}\"\npath = [\"{source}/tools\"]\nenv.MODEL = \"{source}/model.bin\"\n");
  ASSERT_TRUE(both) << to_string(both.error());
  EXPECT_EQ(both->build.setting.cwd, "{source}/lib");
  EXPECT_THAT(both->build.setting.env, ElementsAre(Pair("A_B1", ""), Pair("CC", "clang")));
  EXPECT_THAT(both->build.setting.path, ElementsAre("/opt/cmake/bin"));
  EXPECT_EQ(both->build.submodules, (SubmoduleChoice{false, {"third_party/cutlass"}}));
  EXPECT_EQ(both->suites[0].setting,
            (CommandSetting{"{build}", {{"MODEL", "{source}/model.bin"}}, {"{source}/tools"}}));
  const auto none = with("", "");
  EXPECT_EQ(none->suites[0].setting, CommandSetting());
  EXPECT_TRUE(none->build.submodules.all);
  EXPECT_EQ(with("submodules = \"none\"\n", "")->build.submodules, (SubmoduleChoice{false, {}}));
}

TEST(SettingSection, DataOfTheBuildBelongsToEverySuite) {
  EXPECT_EQ(with("", "")->suites[0].data, std::nullopt);
  EXPECT_THAT(with("", "data = []\n")->suites[0].data, testing::Optional(IsEmpty()));
  EXPECT_THAT(with("data = [\"all/**\"]\n", "")->suites[0].data, testing::Optional(ElementsAre("all/**")));
  EXPECT_THAT(with("data = [\"all/**\"]\n", "data = [\"mine/*\"]\n")->suites[0].data,
              testing::Optional(ElementsAre("mine/*", "all/**")));
}

TEST(SettingSection, WhatWouldWeakenTheSandboxIsRefused) {
  for (const char* name : {"LD_PRELOAD", "LD_AUDIT", "HOME", "CUDA_VISIBLE_DEVICES", "CUDA_INJECTION64_PATH",
                           "CCACHE_CONFIGPATH", "KG_CONFIGURATIONS"})
    EXPECT_THAT(error_of(std::string("env = { ") + name + " = \"x\" }\n"), HasSubstr("cannot be set here")) << name;
  EXPECT_THAT(error_of("env = { PATH = \"x\" }\n"), HasSubstr("name its folders in 'path'"));
  for (const char* folder : {"/tmp", "/tmp/x", "/var/tmp/x", "/dev/shm"})
    EXPECT_THAT(error_of(std::string("path = [\"") + folder + "\"]\n"), HasSubstr("any program may write")) << folder;
}

TEST(SettingSection, MalformedValuesAreNamed) {
  const std::string suite = "k.toml:7:";
  struct Case {
    std::string lines, want;
  };
  std::string many = "env = { ";
  for (std::size_t i = 0; i <= limits::kEnvironmentMax; ++i) many += (i ? ", A" : "A") + std::to_string(i) + " = \"1\"";
  std::string folders = "path = [\"/a\"";
  for (std::size_t i = 0; i < limits::kPathFoldersMax; ++i) folders += ", \"/a\"";
  for (const Case& one :
       {Case{"cwd = \"/etc\"", "'cwd' of [[suite]] is '/etc' (give '{source}'"},
        Case{"cwd = \"{source}/../x\"", "'cwd' of [[suite]] is"},
        Case{"cwd = \"{source}bench\"", "'cwd' of [[suite]] is"},
        Case{"cwd = \"{source}/{build}\"", "'cwd' of [[suite]] is"},
        Case{"cwd = 1", "must be a string"},
        Case{"env = [\"A=1\"]", "must be a table"},
        Case{"env = { A = 1 }", "'A' of env must be a string"},
        Case{"env = { \"1A\" = \"x\" }", "cannot be the name of a variable"},
        Case{"env = { \"A B\" = \"x\" }", "cannot be the name of a variable"},
        Case{"env = { A = \"{sorce}\" }", "has an unknown placeholder '{sorce}'"},
        Case{"env = { A = \"" + std::string(limits::kEnvironmentValueMax + 1, 'x') + "\" }", "4097 bytes"},
        Case{many + " }", "has 65 variables (64 at most)"},
        Case{"path = \"/opt\"", "must be a list"},
        Case{"path = [\"bin\"]", "has 'bin' (give whole paths"},
        Case{"path = [\"/opt/../etc\"]", "give whole paths"},
        Case{"path = [\"/opt/a:/opt/b\"]", "give whole paths"},
        Case{"path = [\"/opt/{build}\"]", "give whole paths"},
        Case{folders + "]", "has 33 folders (32 at most)"},
        Case{"data = \"**\"", "must be a list"},
        Case{"data = [\"/x\"]", "begins with"},
        Case{"submodules = \"all\"", "unknown key 'submodules'"}}) {
    const std::string got = error_of(one.lines + "\n");
    EXPECT_THAT(got, HasSubstr(one.want)) << one.lines;
    EXPECT_EQ(got.substr(0, suite.size()), suite) << one.lines;
  }
  for (const char* value : {"\"some\"", "[\"../x\"]", "[\"third_party/*\"]", "[1]", "true"})
    EXPECT_FALSE(with(std::string("submodules = ") + value + "\n", "")) << value;
}

TEST(SettingSection, HeadsChangesAreListed) {
  const auto changes = effective_manifest_changes(*with("", "cwd = \"{build}\"\n"),
                                                  *with("", "cwd = \"{source}\"\nenv.A = \"1\"\ndata = [\"d/*\"]\n"));
  EXPECT_THAT(changes, ElementsAre("suite 's' cwd, env and path: [cwd={build}] became [cwd={source}, A=1]",
                                   "suite 's' data: [] became [d/*]"));
}

TEST(LeadingCd, IsKnownWhereItsFolderIsPlain) {
  struct Case {
    std::string line, folder, command;
  };
  for (const Case& one :
       {Case{"cd {source} && {build}/p --x", "{source}", "{build}/p --x"},
        Case{"  cd  {build}/a-b/c.d  &&./p", "{build}/a-b/c.d", "./p"},
        Case{"cd {source}/bench && python3 -m pytest a.py", "{source}/bench", "python3 -m pytest a.py"}}) {
    const auto parts = leading_cd(one.line);
    ASSERT_TRUE(parts) << one.line;
    EXPECT_EQ(parts->folder, one.folder);
    EXPECT_EQ(parts->command, one.command);
    EXPECT_EQ(command_of(one.line), one.command);
  }
  for (const char* line :
       {"{build}/p", "cd bench && ./p", "cd {source}; {build}/p", "cd {source} || true", "cd {source}",
        "cd {source}/$X && ./p", "cd {source}x && ./p", "cd {source}/'a b' && ./p", "cdx {source} && p"}) {
    EXPECT_EQ(leading_cd(line), std::nullopt) << line;
    EXPECT_EQ(command_of(line), line);
  }
}

}  // namespace setting_section_test
}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#include "commands/doctor/doctor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "commands/doctor/machine.hpp"
#include "core/report/text.hpp"

namespace kernelgate::doctor {
namespace doctor_test {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

class Doctor : public testing::Test {
 protected:
  Doctor() {
    std::string pattern = (fs::temp_directory_path() / "kg-doctor-XXXXXX").string();
    folder = mkdtemp(pattern.data());
  }
  ~Doctor() override { fs::remove_all(folder); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  }
  void write_program(const std::string& name, const std::string& text) const {
    write(name, "#!/bin/sh\n" + text);
    fs::permissions(folder / name, fs::perms::owner_all);
  }

  fs::path folder;
};

TEST_F(Doctor, NamesEachToolOrHowToGetIt) {
  write_program("bin/git", "echo git version 2.39.5\necho more\n");
  write_program("bin/g++", "echo 'g++ (Debian) 12.2.0'\n");
  write_program("bin/nvcc", "echo nvcc: NVIDIA\necho 'Cuda compilation tools, release 13.0, V13.0.88'\n");
  write_program("bin/ccache", "exit 1\n");
  const std::vector<Finding> found = find_tools((folder / "bin").string());
  struct Case {
    const char* topic;
    Grade grade;
    const char* text;
  };
  const std::vector<Case> cases{{"git", Grade::ok, "git version 2.39.5"},
                                {"C++ compiler", Grade::ok, "g++ (Debian) 12.2.0"},
                                {"cmake", Grade::warning, "not found"},
                                {"ccache", Grade::warning, "not found"},
                                {"nvcc", Grade::ok, "release 13.0, V13.0.88"}};
  for (const Case& c : cases) {
    const auto at = std::find_if(found.begin(), found.end(), [&](const Finding& f) { return f.topic == c.topic; });
    ASSERT_NE(at, found.end()) << c.topic;
    EXPECT_EQ(at->grade, c.grade) << c.topic;
    EXPECT_EQ(at->text, c.text);
    EXPECT_EQ(at->fix.empty(), c.grade == Grade::ok) << c.topic;
  }
  EXPECT_EQ(find_tools((folder / "nowhere").string()).front().grade, Grade::missing);
}

TEST_F(Doctor, ReadsTheMachine) {
  write("proc/loadavg", "3.50 1.00 0.50 1/200 999\n");
  write("proc/meminfo", "MemTotal:       16777216 kB\nMemAvailable:    1048576 kB\n");
  write("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
  write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  EXPECT_EQ(find_load(folder, 4).grade, Grade::warning);
  EXPECT_EQ(find_load(folder, 8).grade, Grade::ok);
  EXPECT_EQ(find_memory(folder).text, "16.0 GiB, 1.0 GiB available");
  EXPECT_EQ(find_memory(folder).grade, Grade::warning);
  EXPECT_EQ(find_clock_source(folder).grade, Grade::warning);
  EXPECT_EQ(find_governor(folder).grade, Grade::warning);
  write("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
  EXPECT_EQ(find_clock_source(folder).grade, Grade::ok);
  EXPECT_EQ(find_disk("disk", folder / "absent").grade, Grade::warning);
}

TEST_F(Doctor, SaysWhichSettingKeepsUserNamespacesAway) {
  EXPECT_EQ(find_namespaces(folder).grade, Grade::ok);
  struct Case {
    const char *file, *forbids, *allows, *fix;
  };
  for (const Case& c : {Case{"kernel/apparmor_restrict_unprivileged_userns", "1", "0",
                             "apparmor_parser -r /etc/apparmor.d/kernelgate-bwrap"},
                        Case{"kernel/unprivileged_userns_clone", "0", "1", "sysctl kernel.unprivileged_userns_clone=1"},
                        Case{"user/max_user_namespaces", "0", "1000", "sysctl user.max_user_namespaces=10000"}}) {
    write(std::string("proc/sys/") + c.file, c.forbids);
    EXPECT_EQ(find_namespaces(folder).grade, Grade::warning) << c.file;
    EXPECT_THAT(find_namespaces(folder).fix, HasSubstr(c.fix));
    write(std::string("proc/sys/") + c.file, c.allows);
    EXPECT_EQ(find_namespaces(folder).grade, Grade::ok) << c.file;
  }
}

TEST_F(Doctor, TheWallsThatStandAreListed) {
  const Result<Diagnosis> found = examine({.repo = folder});
  ASSERT_TRUE(found) << kernelgate::to_string(found.error());
  const auto text_of = [&](const std::string& topic) {
    const auto is_it = [&](const Finding& finding) { return finding.topic == topic; };
    const auto at = std::find_if(found->machine.begin(), found->machine.end(), is_it);
    return at == found->machine.end() ? std::string("not listed") : at->text;
  };
  EXPECT_THAT(text_of("sandbox"), HasSubstr("bubblewrap"));
  EXPECT_EQ(text_of("system calls"), "filtered");
  EXPECT_THAT(text_of("memory wall"), testing::ContainsRegex("held by control groups|looked at four times a second"));
}

TEST_F(Doctor, FindsTheManifestAboveAndSaysWhatCanBeMeasured) {
  write("repo/kernelgate.toml",
        "schema = 1\n[build]\nbuild = \"true\"\n[[suite]]\nname = \"cpu\"\nrun = \"{build}/a\"\n"
        "[[suite]]\nname = \"GPU\"\nrun = \"{build}/b\"\ncheck = \"{build}/c\"\n"
        "requires = { gpu = true, compute = \"99.9\" }\n");
  write("repo/deep/file", "");
  const auto diagnosis = examine({.repo = folder / "repo/deep"});
  ASSERT_TRUE(diagnosis) << to_string(diagnosis.error());
  ASSERT_TRUE(diagnosis->manifest);
  EXPECT_THAT(diagnosis->manifest->errors, IsEmpty());
  ASSERT_EQ(diagnosis->manifest->suites.size(), 2U);
  EXPECT_EQ(diagnosis->manifest->suites[0].grade, Grade::ok);
  EXPECT_THAT(diagnosis->manifest->suites[0].text, HasSubstr("no check"));
  EXPECT_EQ(diagnosis->manifest->suites[1].grade, Grade::warning);
  EXPECT_THAT(to_table(*diagnosis, {}), HasSubstr("kernelgate.toml is valid. Its suites:\n"));
}

TEST_F(Doctor, ListsAllThatIsWrongWithAManifest) {
  write("bad.toml", "schema = 1\n[build]\nbild = \"true\"\n[policy]\ntolerate = \"much\"\n");
  const auto diagnosis = examine({.manifest = folder / "bad.toml", .repo = folder});
  ASSERT_TRUE(diagnosis);
  ASSERT_TRUE(diagnosis->manifest);
  EXPECT_GE(diagnosis->manifest->errors.size(), 2U);
  EXPECT_EQ(exit_code(*diagnosis), 2);
  EXPECT_THAT(to_table(*diagnosis, {}), HasSubstr("bad.toml:3:1: "));
}

TEST_F(Doctor, WithoutAManifestLooksAtTheMachineOnly) {
  const auto diagnosis = examine({.repo = folder});
  ASSERT_TRUE(diagnosis);
  EXPECT_FALSE(diagnosis->manifest);
  EXPECT_THAT(to_table(*diagnosis, {}), HasSubstr("No manifest"));
  EXPECT_FALSE(examine({.repo = folder / "absent"}));
  EXPECT_FALSE(examine({.manifest = folder / "absent.toml", .repo = folder}));
}

TEST(Diagnosis, WhatIsMissingIsExitCodeFour) {
  Diagnosis diagnosis;
  diagnosis.machine = {{.topic = "ccache", .grade = Grade::warning, .text = "not found"}};
  EXPECT_EQ(exit_code(diagnosis), 0);
  diagnosis.machine.push_back({.topic = "git", .grade = Grade::missing, .text = "not found", .fix = "install it"});
  EXPECT_EQ(exit_code(diagnosis), 4);
  diagnosis.manifest = {.file = "kernelgate.toml", .errors = {"kernelgate.toml:1:1: not TOML"}, .suites = {}};
  EXPECT_EQ(exit_code(diagnosis), 2);
}

TEST(Diagnosis, FitsItsColumnsAndIsHarmless) {
  Diagnosis diagnosis;
  diagnosis.machine = {{.topic = std::string(90, 't'),
                        .grade = Grade::missing,
                        .text = std::string(300, 'x') + "\x1B[2J",
                        .fix = "install it and then some more words than fit"}};
  std::istringstream lines(to_table(diagnosis, {}));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(report::width(line), 100U) << line;
    EXPECT_EQ(line.find('\x1B'), std::string::npos);
  }
}

TEST(Diagnosis, JsonCarriesTheSame) {
  Diagnosis diagnosis;
  diagnosis.machine = {{.topic = "git", .grade = Grade::missing, .text = "not found", .fix = "install it"}};
  const auto json = nlohmann::json::parse(to_json(diagnosis));
  EXPECT_EQ(json.at("schema"), 1);
  EXPECT_EQ(json.at("exit_code"), 4);
  EXPECT_EQ(json.at("machine").at(0).at("grade"), "missing");
  EXPECT_TRUE(json.at("manifest").is_null());
  diagnosis.manifest = ManifestFindings{
      .file = "kernelgate.toml", .errors = {"line 2: no such key"}, .suites = {{.topic = "gemm", .text = "runs here"}}};
  const auto manifest = nlohmann::json::parse(to_json(diagnosis)).at("manifest");
  EXPECT_EQ(manifest.at("file"), "kernelgate.toml");
  EXPECT_EQ(manifest.at("valid"), false);
  EXPECT_EQ(manifest.at("errors"), nlohmann::json::array({"line 2: no such key"}));
  EXPECT_EQ(manifest.at("suites").at(0),
            nlohmann::json({{"topic", "gemm"}, {"grade", "ok"}, {"text", "runs here"}, {"fix", ""}}));
}

}  // namespace doctor_test
}  // namespace kernelgate::doctor

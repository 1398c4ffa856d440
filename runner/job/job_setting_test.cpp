// SPDX-License-Identifier: Apache-2.0
// Folder, environment and data of a suite's commands, and what is missing on the machine and no commit's fault.
#include <gmock/gmock.h>

#include "runner/job/job.hpp"
#include "tests/support/table_repository.hpp"

namespace kernelgate {
namespace job_setting_test {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

class JobSettingTest : public testing::Test {
 protected:
  // A program that lists one benchmark, in a folder of the source.
  static std::string manifest(const std::string& suite_lines) {
    std::string text = TableRepository::manifest("", suite_lines);
    text = replaced(text, "run = \"{build}/suite\"", "run = \"cd {source} && {build}/suite\"");
    return replaced(text, "check = \"sh {build}/check.sh\"\n", "");
  }
  Verdict verdict_of(const std::map<std::string, std::string>& head) {
    const auto decision = repository_.judge(repository_.request_for(repository_.commit(head)));
    if (decision.comparisons.empty()) ADD_FAILURE() << decision.summary;
    return decision.comparisons.empty() ? Verdict::undecided : decision.comparisons.front().verdict;
  }
  CommitHash base(const std::string& suite_lines) {
    return repository_.commit({{"kernelgate.toml", manifest(suite_lines)},
                               {"suite.c", kProgram},
                               {"table", "1\n"},
                               {"build.sh", TableRepository::compiling_build()}});
  }
  static constexpr const char* kProgram =
      "#include <stdio.h>\nint main(int n, char** a) { (void)n; (void)a; puts(\"a\"); return 0; }\n";
  const std::string changed_ = std::string("/* text */ ") + kProgram;
  TableRepository repository_;
};

TEST_F(JobSettingTest, ACdInTheRunLineHidesNoProgramWhoseDataIsKnown) {
  base("data = []\n");
  EXPECT_EQ(verdict_of({{"suite.c", changed_}}), Verdict::identical);
  EXPECT_THAT(repository_.last.evidence.suites.front().base_program, Not(IsEmpty()));
}

TEST_F(JobSettingTest, WhatMayBeReadOfTheSourceProvesNothing) {
  base("");
  EXPECT_NE(verdict_of({{"suite.c", changed_}}), Verdict::identical);
  EXPECT_THAT(repository_.last.evidence.notices,
              Contains(HasSubstr("where the manifest says what it reads (data = [...])")));
}

TEST_F(JobSettingTest, OtherDataIsAnotherSuite) {
  base("data = [\"table\"]\n");
  EXPECT_EQ(verdict_of({{"suite.c", changed_}}), Verdict::identical);
  EXPECT_NE(verdict_of({{"table", "2\n"}}), Verdict::identical)
      << "table is no input of the build, and read all the same";
}

TEST_F(JobSettingTest, AnEnvironmentThatNamesTheBuildProvesNothing) {
  base("data = []\nenv = { MODEL = \"{build}/model\" }\n");
  EXPECT_NE(verdict_of({{"suite.c", changed_}}), Verdict::identical);
}

TEST_F(JobSettingTest, FolderAndEnvironmentReachBuildCheckAndSuite) {
  auto text = TableRepository::manifest("", "cwd = \"{source}\"\nenv = { KG_X = \"of the suite\" }\n");
  text = replaced(text, "build = ", "cwd = \"{build}\"\nenv = { KG_X = \"of the build\" }\nbuild = ");
  text = replaced(text, "run = \"{build}/suite\"",
                  "run = \"[ \\\"$KG_X\\\" = 'of the suite' ] && [ -f times ] && {build}/suite\"");
  const auto head = repository_.commit(
      {{"kernelgate.toml", text},
       {"build.sh", "[ \"$KG_X\" = 'of the build' ] && [ ! -e times ] || exit 1\n" + TableRepository::copying_build()},
       {"check.sh", "[ \"$KG_X\" = 'of the suite' ] && [ -f table.sh ] || exit 1\n" + TableRepository::passing_check()},
       {"times", "a\t100\n"}});
  const auto decision = repository_.judge(repository_.request_for(head));
  EXPECT_EQ(decision.conclusion, Conclusion::passed) << decision.summary << repository_.reporter.logs["build-head"];
  EXPECT_THAT(repository_.reporter.processes, Not(IsEmpty()));
}

// A missing tool is this machine's, where a person measures on it; on a server it stays the commit's, which could
// choose to miss one.
TEST_F(JobSettingTest, AMissingToolIsNoCommitsFaultOnOnesOwnMachine) {
  const auto of_check = repository_.commit({{"check.sh", "no-such-tool\n"}, {"times", "a\t100\n"}});
  const auto of_build = repository_.commit({{"build.sh", "no-such-tool\n"}});
  for (const CommitHash& head : {of_check, of_build}) {
    auto request = repository_.request_for(head);
    request.base = {wire::BaseKind::none, "1"};
    auto decision = repository_.judge(request);
    EXPECT_EQ(decision.conclusion, head == of_check ? Conclusion::broken : Conclusion::build_failed);
    request.own_machine = true;
    decision = repository_.judge(request);
    EXPECT_EQ(decision.conclusion, Conclusion::infrastructure) << decision.summary;
    EXPECT_THAT(decision.reason, HasSubstr("no-such-tool"));
  }
}

TEST_F(JobSettingTest, AMissingToolOfBaseMovesBaseNowhere) {
  repository_.commit({{"times", "a\t100\n"}});
  repository_.commit({{"check.sh", "no-such-tool\n"}});
  const auto decision = repository_.judge(repository_.request_for(repository_.commit({{"times", "a\t120\n"}})));
  EXPECT_EQ(decision.conclusion, Conclusion::infrastructure) << decision.summary;
  EXPECT_THAT(repository_.last.evidence.notices, Not(Contains(HasSubstr("base moved back"))));
}

TEST(JobSetting, ACommandThatIsNotFoundSaysWhatTheSandboxShows) {
  TableRepository repository(SandboxConfig{});
  const auto head = repository.commit({{"build.sh", "no-such-tool\n"}});
  (void)repository.judge(repository.request_for(head));
  EXPECT_THAT(repository.last.evidence.build_text,
              testing::AllOf(HasSubstr("the sandbox shows /usr"), HasSubstr("--toolchain DIR")));
}

// With base's fetch line, head's PATH would say what it starts, with the network.
TEST_F(JobSettingTest, AForkIsBuiltInBasesSetting) {
  const auto with = [](const std::string& value) {
    return replaced(TableRepository::manifest(""), "build = ", "env = { KG_X = \"" + value + "\" }\nbuild = ");
  };
  const std::string build = "echo \"set by $KG_X\"\n" + TableRepository::copying_build();
  const auto base = repository_.commit({{"kernelgate.toml", with("base")}, {"build.sh", build}});
  const auto head = repository_.commit({{"kernelgate.toml", with("head")}, {"times", "a\t101\n"}});
  auto request = repository_.request_for(head, base);
  (void)repository_.judge(request);
  EXPECT_THAT(repository_.reporter.logs["build-head"], HasSubstr("set by head"));
  request.trust = "fork";
  (void)repository_.judge(request);
  EXPECT_THAT(repository_.reporter.logs["build-head"], HasSubstr("set by base"));
}

}  // namespace job_setting_test
}  // namespace kernelgate

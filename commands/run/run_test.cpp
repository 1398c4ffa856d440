// SPDX-License-Identifier: Apache-2.0
#include "commands/run/run.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "platform/git/git.hpp"
#include "platform/process/file_lock.hpp"
#include "tests/support/table_repository.hpp"

namespace kernelgate::local {
namespace run_test {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

class LocalRunTest : public testing::Test {
 protected:
  LocalRunTest() {
    options_.repository = repository_.folder();
    options_.no_sandbox = true;
  }

  Result<RunOutcome> run() {
    return run_here(options_, [this](const std::string& line) { progress_.push_back(line); }, {});
  }

  RunOutcome good_run() {
    auto outcome = run();
    EXPECT_TRUE(outcome) << to_string(outcome.error());
    return outcome ? *outcome : RunOutcome{};
  }

  TableRepository repository_;
  RunOptions options_;
  std::vector<std::string> progress_;
};

TEST_F(LocalRunTest, HeadIsJudgedAgainstItsParent) {
  repository_.commit({{"times", "a\t100\nb\t100\n"}});
  repository_.commit({{"times", "a\t100\nb\t150\n"}});
  const auto outcome = good_run();
  EXPECT_EQ(outcome.decision.conclusion, Conclusion::regressed);
  EXPECT_THAT(outcome.decision.comparisons, SizeIs(2));
  EXPECT_THAT(progress_, Contains(HasSubstr("pair 1 of 4, 2 benchmarks open")));
  EXPECT_TRUE(std::filesystem::exists(repository_.folder() / ".git/kernelgate/local.db"));
}

TEST_F(LocalRunTest, ChangesThatAreNotCommittedAreNoticed) {
  repository_.commit({{"times", "a\t100\n"}});
  EXPECT_FALSE(leaves_out_changes(options_));
  std::ofstream(repository_.folder() / "times") << "a\t150\n";
  EXPECT_TRUE(leaves_out_changes(options_));
  options_.head = "HEAD~0";
  EXPECT_FALSE(leaves_out_changes(options_)) << "another commit was named";
  options_.head = "HEAD";
  options_.work_tree = true;
  EXPECT_FALSE(leaves_out_changes(options_));
  options_ = {.repository = "/"};
  EXPECT_FALSE(leaves_out_changes(options_));
}

TEST_F(LocalRunTest, AKnownVerdictIsNotMeasuredAgainUnlessForced) {
  repository_.commit({{"times", "a\t100\n"}});
  repository_.commit({{"times", "a\t150\n"}});
  const auto first = good_run();
  const auto second = good_run();
  EXPECT_EQ(second.reused_from, std::optional<std::int64_t>(first.run));
  EXPECT_EQ(second.decision.conclusion, Conclusion::regressed);
  EXPECT_THAT(second.decision.notices, Contains(HasSubstr("judged before")));
  options_.force = true;
  EXPECT_EQ(good_run().reused_from, std::nullopt);
}

TEST_F(LocalRunTest, AStoppedRunShowsWhatIsKnownAndTheNextGoesOnFromThere) {
  repository_.commit({{"times", "a\t100\nb\t100\tnoisy 0.3\n"}});
  repository_.commit({{"times", "a\t150\nb\t101\tnoisy 0.3\n"}});
  std::stop_source stop;
  const auto stop_in_third = [&stop](const std::string& line) {
    if (line.find("pair 3 of") != line.npos) stop.request_stop();
  };
  const auto partial = run_here(options_, stop_in_third, stop.get_token());
  ASSERT_TRUE(partial) << to_string(partial.error());
  EXPECT_TRUE(partial->stopped);
  EXPECT_EQ(partial->decision.conclusion, Conclusion::infrastructure) << "no verdict";
  EXPECT_THAT(partial->title, HasSubstr("(partial)"));
  EXPECT_THAT(partial->decision.notices, Contains(HasSubstr("run it again to go on from here")));
  ASSERT_THAT(partial->decision.comparisons, SizeIs(2));
  EXPECT_EQ(partial->decision.comparisons[0].pairs, 2);

  const auto whole = good_run();
  EXPECT_FALSE(whole.stopped);
  EXPECT_EQ(whole.decision.conclusion, Conclusion::regressed);
  EXPECT_THAT(whole.decision.notices, Contains(HasSubstr("goes on from 4 processes")));
  EXPECT_THAT(progress_, Not(Contains(HasSubstr("Table: pair 1 of"))));
  EXPECT_THAT(progress_, Contains(HasSubstr("Table: pair 3 of")));
  EXPECT_FALSE(std::filesystem::exists(repository_.folder() / ".git/kernelgate/stopped.jsonl"));
}

TEST_F(LocalRunTest, WhatWasMeasuredOfOtherProgramsIsNotGoneOnFrom) {
  repository_.commit({{"times", "a\t100\nb\t100\tnoisy 0.3\n"}});
  repository_.commit({{"times", "a\t150\nb\t101\tnoisy 0.3\n"}});
  std::stop_source stop;
  const auto stop_in_second = [&stop](const std::string& line) {
    if (line.find("pair 2 of") != line.npos) stop.request_stop();
  };
  ASSERT_TRUE(run_here(options_, stop_in_second, stop.get_token()));
  repository_.commit({{"times", "a\t151\n"}});
  EXPECT_THAT(good_run().decision.notices, Not(Contains(HasSubstr("goes on from"))));
}

TEST_F(LocalRunTest, TheWorkTreeCanBeJudgedAsItStands) {
  repository_.commit({{"times", "a\t100\n"}});
  std::ofstream(repository_.folder() / "times") << "a\t150\n";
  options_.work_tree = true;
  const auto outcome = good_run();
  EXPECT_EQ(outcome.decision.conclusion, Conclusion::regressed);
  EXPECT_THAT(outcome.title, HasSubstr("the work tree against"));
}

TEST_F(LocalRunTest, TheLedgerKeepsTriesAndSaysWhatWasTriedBefore) {
  const auto turn_to = [this](const std::string& branch, bool is_new) {
    const auto git = Git::open(repository_.folder(), GitConfig::users);
    ASSERT_TRUE(git);
    if (is_new) {
      ASSERT_TRUE(git->call({.args = {"branch", branch}}));
    }
    ASSERT_TRUE(git->call({.args = {"symbolic-ref", "HEAD", "refs/heads/" + branch}}));
  };
  repository_.commit({{"times", "a\t100\n"}});
  turn_to("try/a", true);
  repository_.commit({{"times", "a\t150\n"}});
  EXPECT_THAT(good_run().decision.notices, Not(Contains(HasSubstr("tried this before"))));
  turn_to("main", false);
  repository_.commit({{"times", "a\t100\n"}, {"README", "more\n"}});
  turn_to("try/b", true);
  repository_.commit({{"times", "a\t150\n"}});
  EXPECT_THAT(good_run().decision.notices,
              Contains("you tried this before: the same change as attempt #1 (try/a: lost, +50.00 %)"));
}

TEST_F(LocalRunTest, AManifestFromElsewhereCounts) {
  repository_.commit({{"times", "a\t100\n"}, {"kernelgate.toml", ""}});
  repository_.remove("kernelgate.toml");
  repository_.commit({});
  repository_.commit({{"times", "a\t150\n"}});
  const auto missing = run();
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Errc::not_found);
  options_.manifest = repository_.folder() / ".git/manifest.toml";
  std::ofstream(options_.manifest) << TableRepository::manifest("");
  EXPECT_EQ(good_run().decision.conclusion, Conclusion::regressed);
}

TEST_F(LocalRunTest, SuiteAndFilterChooseWhatIsTimed) {
  repository_.commit({{"times", "gemm\t100\ncopy\t100\n"}});
  repository_.commit({{"times", "gemm\t150\ncopy\t150\n"}});
  options_.filter = "^copy$";
  EXPECT_THAT(good_run().decision.comparisons, SizeIs(1));
  options_.filter.clear();
  EXPECT_THAT(good_run().decision.comparisons, SizeIs(2)) << "a part is no verdict to reuse";
}

TEST_F(LocalRunTest, BadInputIsAnError) {
  repository_.commit({{"times", "a\t100\n"}});
  options_.base = "no-such-branch";
  EXPECT_EQ(run().error().code, Errc::not_found);
  options_.base.clear();
  options_.filter = "(";
  EXPECT_EQ(run().error().code, Errc::invalid);
  options_.filter.clear();
  options_.repository = "/nowhere";
  EXPECT_FALSE(run());
  options_.repository = repository_.folder();
  repository_.commit({{"kernelgate.toml", "schema = 1\nnonsense = 2\n"}});
  EXPECT_THAT(to_string(run().error()), HasSubstr("kernelgate.toml:2"));
}

TEST_F(LocalRunTest, ASlipInAFlagIsBadInputAndNotTheMachinesFault) {
  repository_.commit({{"times", "a\t100\n"}});
  repository_.commit({{"times", "a\t150\n"}});
  options_.suite = "no-such-suite";
  EXPECT_EQ(run().error().code, Errc::not_found);
  EXPECT_THAT(to_string(run().error()), HasSubstr("the manifest has '"));
  options_.suite.clear();
  options_.filter = "no-such-benchmark";
  EXPECT_EQ(run().error().code, Errc::not_found);
  options_.filter.clear();
  options_.cpus = {4000};
  EXPECT_THAT(to_string(run().error()), HasSubstr("--cpus: there is no processor 4000"));
  options_.cpus.clear();
  for (const char* manifest : {"/", "/dev/zero", "/no-such-file"}) {
    options_.manifest = manifest;
    const auto outcome = run();
    ASSERT_FALSE(outcome) << manifest;
    EXPECT_THAT(to_string(outcome.error()), HasSubstr(manifest));
  }
}

TEST_F(LocalRunTest, ToForceIsToJudgeABaseAnewThatWasBroken) {
  repository_.commit({{"times", "a\t100\n"}});
  repository_.commit({{"times", "a\t101\n"}});
  options_.manifest = repository_.folder() / ".git/manifest.toml";
  std::ofstream(options_.manifest) << "schema = 1\n[build]\nbuild = \"false\"\n"
                                      "[[suite]]\nname = \"table\"\nrun = \"x\"\n";
  EXPECT_EQ(good_run().decision.conclusion, Conclusion::build_failed);
  repository_.commit({{"times", "a\t150\n"}});
  options_.manifest.clear();
  EXPECT_THAT(good_run().decision.notices, Contains(HasSubstr("base moved back to")));
  options_.force = true;
  EXPECT_THAT(good_run().decision.notices, Not(Contains(HasSubstr("base moved back to"))));
}

TEST_F(LocalRunTest, TwoRunsInOneRepositoryMeasureOneAfterTheOther) {
  repository_.commit({{"times", "a\t100\n"}});
  repository_.commit({{"times", "a\t150\n"}});
  std::filesystem::create_directories(repository_.folder() / ".git/kernelgate");
  auto other = FileLock::try_acquire(repository_.folder() / ".git/kernelgate/run.lock", LockKind::exclusive);
  ASSERT_TRUE(other);
  bool waited = false;
  const auto outcome = run_here(options_,
                                [&](const std::string& line) {
                                  waited = waited || line.find("waiting for another run") != std::string::npos;
                                  other.reset();
                                },
                                {});
  ASSERT_TRUE(outcome) << to_string(outcome.error());
  EXPECT_TRUE(waited);
  EXPECT_EQ(outcome->decision.conclusion, Conclusion::regressed);
}

TEST_F(LocalRunTest, AStoppedRunIsNoBadInput) {
  repository_.commit({{"times", "a\t100\n"}});
  repository_.commit({{"times", "a\t150\n"}});
  std::stop_source stop;
  const auto outcome = run_here(
      options_, [&stop](const std::string&) { stop.request_stop(); }, stop.get_token());
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Errc::unavailable);
}

TEST_F(LocalRunTest, AHeadThatDoesNotBuildShowsWhy) {
  repository_.commit({{"times", "a\t100\n"}});
  repository_.commit({{"build.sh", "echo 'no such header'; exit 1\n"}});
  const auto outcome = good_run();
  EXPECT_EQ(outcome.decision.conclusion, Conclusion::build_failed);
  EXPECT_THAT(outcome.failure_log, HasSubstr("no such header"));
}

}  // namespace run_test
}  // namespace kernelgate::local

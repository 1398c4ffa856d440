// SPDX-License-Identifier: Apache-2.0
#include "commands/baseline/baseline.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>

#include "tests/support/table_repository.hpp"

namespace kernelgate::local {
namespace baseline_test {

using testing::Contains;
using testing::HasSubstr;
using testing::SizeIs;

class LocalBaselineTest : public testing::Test {
 protected:
  LocalBaselineTest() {
    options_.repository = repository_.folder();
    options_.no_sandbox = true;
    remeasure_.no_sandbox = true;
  }

  RunOutcome run() {
    auto outcome = run_here(options_, [this](const std::string& line) { progress_.push_back(line); }, {});
    EXPECT_TRUE(outcome) << to_string(outcome.error());
    return outcome ? *outcome : RunOutcome{};
  }
  std::unique_ptr<Baselines> baselines() {
    auto opened = Baselines::open(
        {.server = {}, .token_file = {}, .repository = {}, .folder = repository_.folder(), .database = {}});
    EXPECT_TRUE(opened) << to_string(opened.error());
    return std::move(*opened);
  }
  Result<wire::WholeBaseline> promote(std::int64_t run) {
    return baselines()->promote({.repository = {}, .run = run, .name = "main", .reason = "release"});
  }
  void measure_sessions(int count) {
    for (int i = 0; i < count; ++i) {
      const auto reply = baselines()->remeasure(remeasure_, {}, {});
      ASSERT_TRUE(reply) << to_string(reply.error());
      ASSERT_EQ(reply->baselines.at(0).why_not, "");
      ASSERT_TRUE(reply->baselines.at(0).run);
    }
  }

  TableRepository repository_;
  RunOptions options_;
  Remeasure remeasure_;
  std::vector<std::string> progress_;
};

TEST_F(LocalBaselineTest, AStoredBaselineScreensAndASlowdownIsAccepted) {
  repository_.commit({{"times", "a\t100\n"}});
  repository_.commit({{"times", "a\t100.1\n"}});
  ASSERT_TRUE(promote(run().run));
  measure_sessions(20);
  EXPECT_EQ(baselines()->list()->baselines.at(0).sessions, 20);

  options_.against = Against::stored;
  repository_.commit({{"times", "a\t100.2\n"}});
  progress_.clear();
  const RunOutcome cleared = run();
  ASSERT_THAT(cleared.decision.comparisons, SizeIs(1));
  EXPECT_EQ(cleared.decision.comparisons[0].verdict, Verdict::unchanged);
  EXPECT_EQ(cleared.decision.comparisons[0].against, Against::stored);
  EXPECT_THAT(progress_, Contains(HasSubstr("head alone, process 2")));
  EXPECT_THAT(progress_, testing::Not(Contains(HasSubstr("pair 1"))));
  EXPECT_THAT(cleared.decision.notices, Contains(HasSubstr("cleared 1 of 1 benchmarks with 2 processes of head")));

  repository_.commit({{"times", "a\t150\n"}});
  const RunOutcome slow = run();
  EXPECT_EQ(slow.decision.conclusion, Conclusion::regressed);
  EXPECT_EQ(slow.decision.comparisons[0].against, Against::pairs);
  EXPECT_THAT(slow.decision.comparisons[0].reason, HasSubstr("not cleared by the stored baseline: +49.85 %"));
  EXPECT_THAT(to_string(promote(slow.run).error()), HasSubstr("it concluded regressed"));

  const auto accepted =
      baselines()->accept({.repository = {}, .run = slow.run, .match = "^a$", .reason = "needed for correctness"});
  ASSERT_TRUE(accepted) << to_string(accepted.error());
  const RunOutcome again = run();
  EXPECT_EQ(again.reused_from, std::nullopt) << "a verdict from before the acceptance answers nobody";
  EXPECT_EQ(again.decision.conclusion, Conclusion::passed);
  EXPECT_THAT(again.decision.comparisons[0].acknowledged, HasSubstr("needed for correctness"));
  EXPECT_THAT(baseline_table(*baselines()->list()), HasSubstr("a +49."));

  ASSERT_TRUE(baselines()->revoke(accepted->id, {.repository = {}, .reason = "fixed"}));
  EXPECT_EQ(run().decision.conclusion, Conclusion::regressed);
}

// As on a full disk.
TEST_F(LocalBaselineTest, AFileThatCannotBeWrittenWholeIsNotLeftBehind) {
  const std::filesystem::path file = repository_.folder() / "baselines.jsonl";
  rlimit usual{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &usual), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit tight{.rlim_cur = 4096, .rlim_max = usual.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tight), 0);
  const Status written = write_baseline_file(file, std::string(100'000, 'x'));
  setrlimit(RLIMIT_FSIZE, &usual);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Errc::io);
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_TRUE(write_baseline_file(file, "whole"));
  EXPECT_EQ(write_baseline_file(file, "another").error().code, Errc::conflict);
}

TEST_F(LocalBaselineTest, WhatIsNotThereIsSaid) {
  auto opened = Baselines::open(
      {.server = {}, .token_file = {}, .repository = {}, .folder = repository_.folder(), .database = {}});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Errc::not_found);
  repository_.commit({{"times", "a\t100\n"}});
  const RunOutcome root = run();
  EXPECT_EQ(baselines()->remeasure(remeasure_, {}, {}).error().code, Errc::not_found);
  EXPECT_EQ(promote(99).error().code, Errc::not_found);
  const wire::AcceptRequest wordy{.repository = {}, .run = 1, .match = "a", .reason = std::string(3000, 'x')};
  EXPECT_EQ(baselines()->accept(wordy).error().where, "/reason");
  EXPECT_TRUE(promote(root.run));
  EXPECT_EQ(
      Baselines::open({.server = {}, .token_file = {}, .repository = "k", .folder = {}, .database = {}}).error().code,
      Errc::invalid);
  EXPECT_EQ(Baselines::open(
                {.server = "http://localhost:1", .token_file = {}, .repository = {}, .folder = {}, .database = {}})
                .error()
                .code,
            Errc::invalid);
}

}  // namespace baseline_test
}  // namespace kernelgate::local

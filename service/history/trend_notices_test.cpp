// SPDX-License-Identifier: Apache-2.0
#include "service/history/trend_notices.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "db/baselines/baselines.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::service {
namespace trend_notices_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

class TrendNotices : public db::StoreTest {
 protected:
  static RunDecision decision_of(const std::vector<double>& medians) {
    RunDecision out;
    out.conclusion = Conclusion::passed;
    for (std::size_t i = 0; i < medians.size(); ++i) {
      Comparison one = comparison("b" + std::to_string(i), Verdict::unchanged);
      one.head_median_ns = medians[i];
      one.tolerate = 0.02;
      out.comparisons.push_back(one);
    }
    return out;
  }
  // A run of the branch that measured b0, b1 … at these medians, and what it told before it ended.
  std::vector<std::string> measured(const std::vector<double>& medians, const std::string& branch = "main") {
    db::NewRun run{.repository = repository, .commit = db::hash_of(++commits_)};
    run.branch = branch;
    run.queued = false;
    run.idempotency_key = std::to_string(commits_);
    last_ = db::add_run(connection, run, db::at(commits_))->id;
    EXPECT_TRUE(db::set_epoch(connection, last_, epoch(), "r"));
    Process head = process("p" + std::to_string(commits_), Side::head, 0, {medians[0]}, "b0");
    for (std::size_t i = 1; i < medians.size(); ++i)
      head.series.push_back(
          {.benchmark = "b" + std::to_string(i), .samples_ns = {medians[i]}, .error = {}, .counters = {}});
    EXPECT_TRUE(db::put_process(connection, last_, head, db::at(commits_)));
    const RunDecision decision = decision_of(medians);
    const auto told = trend_notices(connection, db::get_run(connection, last_).value(), decision);
    EXPECT_TRUE(told) << to_string(told.error());
    finish(last_, Conclusion::passed, decision.comparisons);
    return told.value_or(std::vector<std::string>{});
  }
  // Twelve level commits, then ten that are each `step` slower; what the last one told.
  std::vector<std::string> creep(std::size_t benchmarks, double step) {
    std::vector<std::string> told;
    for (int i = 1; i <= 22; ++i) {
      std::vector<double> medians;
      for (std::size_t b = 0; b < benchmarks; ++b)
        medians.push_back(
            (i <= 12 ? 1000 + i % 2 : 1000 * std::pow(1 + step * (1 + 0.1 * static_cast<double>(b)), i - 12)));
      told = measured(medians);
    }
    return told;
  }
  void anchor(RunId run) {
    db::Promotion promotion{
        .repository = repository, .run = run, .name = "release-1", .actor = "ann", .reason = "release"};
    promotion.anchor = true;
    ASSERT_TRUE(db::promote(connection, promotion, db::at(5000)));
  }
  int commits_ = 0;
  RunId last_;
};

TEST_F(TrendNotices, ALevelHistoryTellsNothing) {
  for (int i = 0; i < 20; ++i) EXPECT_THAT(measured({1000.0 + i % 3}), IsEmpty()) << i;
}

TEST_F(TrendNotices, CreepIsToldWithItsStart) {
  const auto told = creep(1, 0.005);
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_EQ(told[0], "s: b0: creep: +5.1 % since " + db::hash_of(12).substr(0, 10) + " (10 commits)");
}

TEST_F(TrendNotices, TheLargestOfManyAreNamedAndTheOthersCounted) {
  const auto told = creep(5, 0.005);
  ASSERT_THAT(told, SizeIs(4));
  EXPECT_THAT(told, ElementsAre(StartsWith("s: b4: creep"), StartsWith("s: b3: creep"), StartsWith("s: b2: creep"),
                                "creep in 2 more benchmarks"));
}

TEST_F(TrendNotices, AChangeOfLevelIsToldOnceWhenItsPointsConfirmIt) {
  for (int i = 0; i < 8; ++i) (void)measured({1000.0 + i % 3});
  std::vector<std::string> told;
  for (int i = 0; i < 12; ++i)
    for (std::string& line : measured({950.0 + i % 3})) told.push_back(std::move(line));
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], StartsWith("s: b0: its level moved by -5.0 % between " + db::hash_of(8).substr(0, 10) + " and " +
                                  db::hash_of(9).substr(0, 10)));
}

TEST_F(TrendNotices, AnotherBranchAndARunWithoutAnEpochTellNothing) {
  (void)creep(1, 0.005);
  EXPECT_THAT(measured({1070}, "topic"), IsEmpty());
  db::Run run = db::get_run(connection, last_).value();
  run.branch = "main";
  EXPECT_THAT(*trend_notices(connection, run, decision_of({1070})), SizeIs(1));
  run.epoch.reset();
  EXPECT_THAT(*trend_notices(connection, run, decision_of({1070})), IsEmpty());
}

TEST_F(TrendNotices, ABenchmarkWithoutAMedianIsPassedOver) {
  (void)creep(1, 0.005);
  const db::Run run = db::get_run(connection, last_).value();
  RunDecision decision = decision_of({1070});
  decision.comparisons[0].head_median_ns = 0;
  EXPECT_THAT(*trend_notices(connection, run, decision), IsEmpty());
  decision.comparisons[0].head_median_ns.reset();
  EXPECT_THAT(*trend_notices(connection, run, decision), IsEmpty());
}

TEST_F(TrendNotices, AgainstTheReleaseWhatMovedByMoreThanIsToleratedIsCounted) {
  (void)measured({1000, 1000, 1000});
  anchor(last_);
  for (int i = 0; i < 11; ++i) (void)measured({1000.0 + i % 3, 1050.0 + i % 3, 1010.0 + i % 3});
  const auto told = measured({1001, 1051, 1011});
  ASSERT_FALSE(told.empty());
  EXPECT_THAT(told.back(), HasSubstr("against the anchored baseline release-1 (" + db::hash_of(1).substr(0, 10) +
                                     "): 1 of 3 benchmarks moved: s: b1 +5.1 % ["));
  EXPECT_THAT(told.back(), HasSubstr("session offset not known"));
}

TEST_F(TrendNotices, AReleaseOfAnotherEpochIsNamedAndNotUsed) {
  (void)measured({1000});
  anchor(last_);
  db::Run run = db::get_run(connection, last_).value();
  run.epoch = epoch("2");
  const auto told = *trend_notices(connection, run, decision_of({1200}));
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], HasSubstr("release-1"));
}

}  // namespace trend_notices_test
}  // namespace kernelgate::service

// SPDX-License-Identifier: Apache-2.0
#include "service/baselines/quarantines.hpp"

#include "db/accounts/audit.hpp"
#include "db/baselines/acknowledgements.hpp"
#include "db/runs/run_parts.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::service {
namespace quarantines_test {

using namespace db;  // NOLINT(google-build-using-namespace): the store that the test fills

class Quarantines : public StoreTest {
 protected:
  Quarantines() { (void)benchmark_row(connection, repository, "s", "b"); }
  NewQuarantine wanted(std::optional<EpochId> where = {}) const {
    return {
        .repository = repository, .suite = "s", .benchmark = "b", .epoch = where, .actor = "ann", .reason = "noisy"};
  }
  // A calibration of one benchmark against itself; what it sets aside.
  std::vector<std::string> calibrate(double detectable, Instant when, double ratio = 1, int alarms = 0,
                                     int degrees = 31, const std::string& suite = "s") {
    Calibration calibration{.commit = hash_of(1), .rule_version = 2, .program = "p", .at = when, .benchmarks = {}};
    CalibratedBenchmark& one = calibration.benchmarks.emplace_back();
    one.suite = suite;
    one.benchmark = "b";
    one.ratio = ratio;
    one.ratio_low = ratio * .999;
    one.ratio_high = ratio * 1.001;
    one.detectable = detectable;
    one.degrees = degrees;
    one.tolerate = .01;
    one.catch_limit = .03;
    one.trials = 8;
    one.regressed = alarms;
    (void)add_calibration(connection, repository, epoch(), calibration);
    return quarantine_unstable(connection, repository, epoch(), calibration);
  }
  std::string suggestion() { return suggestion_for(connection, list_quarantines(connection, repository, false).at(0)); }
};

TEST_F(Quarantines, OneIsInForceUntilItIsReleased) {
  const auto id = set_quarantine(connection, wanted(), at(1));
  ASSERT_TRUE(id) << to_string(id.error());
  const auto held = quarantines_in_force(connection, repository, epoch());
  ASSERT_EQ(held.size(), 1U);
  EXPECT_EQ(held[0].benchmark, "b");
  EXPECT_EQ(quarantines_in_force(connection, repository, std::nullopt).size(), 1U);  // not bound to an epoch
  ASSERT_TRUE(
      release_quarantine(connection, {.repository = repository, .id = *id, .actor = "bob", .reason = "fixed"}, at(2)));
  EXPECT_TRUE(quarantines_in_force(connection, repository, epoch()).empty());
  EXPECT_TRUE(list_quarantines(connection, repository, false).empty());
  const auto all = list_quarantines(connection, repository, true);
  EXPECT_EQ(all.at(0).released_by, "bob");
  const auto actions = list_actions(connection);
  EXPECT_EQ(actions.at(0).action.action, "benchmark.release");
  EXPECT_EQ(actions.at(1).action.action, "benchmark.quarantine");
  EXPECT_EQ(actions.at(1).action.subject, "benchmark s: b");
}

TEST_F(Quarantines, RefusalsSayWhatIsWrong) {
  NewQuarantine bad = wanted();
  bad.reason.clear();
  EXPECT_EQ(set_quarantine(connection, bad, at(1)).error().code, Errc::invalid);
  bad = wanted();
  bad.benchmark = "c";
  EXPECT_EQ(set_quarantine(connection, bad, at(1)).error().code, Errc::not_found);
  const auto id = set_quarantine(connection, wanted(), at(1));
  ASSERT_TRUE(id);
  EXPECT_EQ(set_quarantine(connection, wanted(), at(2)).error().code, Errc::conflict);
  EXPECT_EQ(set_quarantine(connection, wanted(epoch()), at(2)).error().code, Errc::conflict);
  const auto release = [&](RepositoryId of, const char* reason) {
    return release_quarantine(connection, {.repository = of, .id = *id, .actor = "bob", .reason = reason}, at(3));
  };
  EXPECT_EQ(release(repository, "").error().code, Errc::invalid);
  EXPECT_EQ(release(RepositoryId{99}, "r").error().code, Errc::not_found);
  ASSERT_TRUE(release(repository, "r"));
  EXPECT_EQ(release(repository, "r").error().code, Errc::conflict);
}

TEST_F(Quarantines, TooManyAreRefused) {
  for (int i = 0; i < limits::kQuarantinesMax; ++i) {
    NewQuarantine one = wanted();
    one.benchmark = std::to_string(i);
    (void)benchmark_row(connection, repository, "s", one.benchmark);
    ASSERT_TRUE(set_quarantine(connection, one, at(1)));
  }
  EXPECT_EQ(set_quarantine(connection, wanted(), at(1)).error().code, Errc::too_many);
}

TEST_F(Quarantines, ACalibrationSetsAsideWhatItCannotJudge) {
  EXPECT_TRUE(calibrate(.012, at(1)).empty());
  EXPECT_EQ(calibrate(.052, at(2)), std::vector<std::string>{"s: b: 3 % is not detectable, 5.2 % is"});
  EXPECT_TRUE(calibrate(.052, at(3)).empty());  // once
  const auto held = list_quarantines(connection, repository, false);
  EXPECT_EQ(held.at(0).actor, "calibration");
  EXPECT_EQ(held.at(0).epoch, epoch());
  EXPECT_EQ(held.at(0).began_at, at(2));
  EXPECT_EQ(quarantines_in_force(connection, repository, epoch("2")).size(), 0U);  // another driver: another noise
}

TEST_F(Quarantines, ANoiseFloorAboveWhatIsToleratedIsUnstableToo) {
  EXPECT_EQ(calibrate(.012, at(1), 1.02), std::vector<std::string>{"s: b: against itself it is +2.00 % off"});
}

TEST_F(Quarantines, OneFalseAlarmMayBeChanceTwoAreNot) {
  EXPECT_TRUE(calibrate(.012, at(1), 1, 1).empty());
  EXPECT_EQ(calibrate(.012, at(2), 1, 2),
            std::vector<std::string>{"s: b: against itself 2 of 8 trials were false alarms"});
}

TEST_F(Quarantines, FewPairsDoNotSpeakOverMany) {
  EXPECT_TRUE(calibrate(.012, at(1), 1, 0, 31).empty());
  EXPECT_TRUE(calibrate(.052, at(2), 1, 0, 3).empty());
  EXPECT_EQ(calibrate(.052, at(3), 1, 0, 31).size(), 1U);
}

TEST_F(Quarantines, KernelgatesOwnSuiteIsNobodysBenchmark) {
  EXPECT_TRUE(calibrate(.052, at(1), 1, 0, 31, kCalibrationSuite).empty());
}

TEST_F(Quarantines, AVerdictFromBeforeOneBeganOrEndedAnswersNoLaterTrigger) {
  const EpochId here = epoch();
  const RunId run = working_run(1);
  finish(run, Conclusion::passed);  // at 1000
  EXPECT_TRUE(verdict_stands(connection, run, {}, at(5000)));
  ASSERT_TRUE(set_quarantine(connection, wanted(epoch("2")), at(1500)));
  EXPECT_TRUE(verdict_stands(connection, run, {}, at(5000)));  // another epoch's is no matter
  const auto id = set_quarantine(connection, wanted(here), at(900));
  ASSERT_TRUE(id) << to_string(id.error());
  EXPECT_TRUE(verdict_stands(connection, run, {}, at(5000)));  // it was judged with this one
  const QuarantineRelease back{.repository = repository, .id = *id, .actor = "bob", .reason = "fixed"};
  ASSERT_TRUE(release_quarantine(connection, back, at(2000)));
  EXPECT_FALSE(verdict_stands(connection, run, {}, at(5000)));
}

TEST_F(Quarantines, AGoodCalibrationSuggestsTheWayBack) {
  (void)calibrate(.052, at(2));
  (void)calibrate(.05, at(10));
  EXPECT_EQ(suggestion(), "");
  (void)calibrate(.015, at(86400));
  EXPECT_EQ(suggestion(), "calibrated 1970-01-02: 1.5 % is detectable; release it");
}

}  // namespace quarantines_test
}  // namespace kernelgate::service

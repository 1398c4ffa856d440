// SPDX-License-Identifier: Apache-2.0
#include "db/baselines/calibrations.hpp"

#include "db/runs/comparisons.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace calibrations_test {

class Calibrations : public StoreTest {
 protected:
  std::int64_t calibrate(EpochId in, const std::string& benchmark, double detectable, double injected = 0,
                         int degrees = 31) {
    Calibration calibration{.commit = hash_of(1), .rule_version = 2, .program = "p", .at = at(5), .benchmarks = {}};
    calibration.benchmarks = {{.suite = "s",
                               .benchmark = benchmark,
                               .injected = injected,
                               .pairs = 32,
                               .ratio = 1.01,
                               .ratio_low = 1.0,
                               .ratio_high = 1.02,
                               .sum_squares = 0.5,
                               .degrees = degrees,
                               .detectable = detectable,
                               .tolerate = 0.01,
                               .catch_limit = 0.03,
                               .trials = 15,
                               .regressed = 1,
                               .improved = 2,
                               .unchanged = 3,
                               .undecided = 4,
                               .suspected = 5}};
    return add_calibration(connection, repository, in, calibration);
  }
};

TEST_F(Calibrations, TheLastOfTheEpochIsGivenBackWhole) {
  EXPECT_FALSE(last_calibration(connection, repository, epoch()));
  calibrate(epoch(), "old", 0.01);
  calibrate(epoch(), "b", 0.02);
  const auto found = last_calibration(connection, repository, epoch());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->commit, hash_of(1));
  EXPECT_EQ(found->rule_version, 2);
  EXPECT_EQ(found->at, at(5));
  ASSERT_EQ(found->benchmarks.size(), 1u);
  const CalibratedBenchmark& one = found->benchmarks[0];
  EXPECT_EQ(one.benchmark, "b");
  EXPECT_EQ(one.pairs, 32);
  EXPECT_EQ(one.ratio_high, 1.02);
  EXPECT_EQ(one.sum_squares, 0.5);
  EXPECT_EQ(one.degrees, 31);
  EXPECT_EQ(one.trials, one.regressed + one.improved + one.unchanged + one.undecided + one.suspected);
  EXPECT_EQ(one.suspected, 5);
}

TEST_F(Calibrations, TheLimitGoesWithTheStoredVarianceOfItsEpoch) {
  calibrate(epoch(), "b", 0.02);
  calibrate(epoch(), "b", 0.04);
  calibrate(epoch(), "b", 0.9, 0.05);  // an injected slowdown says nothing of noise
  finish(working_run(1), Conclusion::passed, {comparison("c", Verdict::unchanged, 20, 0.2)});
  const auto stored = stored_variances(connection, repository, epoch());
  ASSERT_EQ(stored.size(), 2u);
  EXPECT_EQ(stored[0].benchmark, "b");
  EXPECT_EQ(stored[0].detectable, 0.04);
  EXPECT_EQ(stored[0].degrees, 0);
  EXPECT_EQ(stored[1].benchmark, "c");
  EXPECT_EQ(stored[1].detectable, 0);
  EXPECT_EQ(stored[1].degrees, 20);
  EXPECT_TRUE(stored_variances(connection, repository, epoch("2")).empty());
}

TEST_F(Calibrations, AWeakerOneNeverTakesAStrongersPlace) {
  calibrate(epoch(), "b", 0.02);
  calibrate(epoch(), "b", 0.5, 0, 1);
  const auto limit = counting_limit(connection, repository, {.suite = "s", .benchmark = "b"}, epoch());
  ASSERT_TRUE(limit);
  EXPECT_EQ(limit->degrees, 31);
  EXPECT_EQ(limit->detectable, 0.02);
  EXPECT_EQ(limit->at, at(5));
  EXPECT_EQ(stored_variances(connection, repository, epoch())[0].detectable, 0.02);
  calibrate(epoch(), "b", 0.03, 0, 63);
  EXPECT_EQ(stored_variances(connection, repository, epoch())[0].detectable, 0.03);
  EXPECT_FALSE(counting_limit(connection, repository, {.suite = "s", .benchmark = "c"}, epoch()));
  calibrate(epoch("2"), "b", 0.5, 0, 1);
  EXPECT_EQ(stored_variances(connection, repository, epoch("2"))[0].detectable, 0.5) << "an epoch has its own";
}

}  // namespace calibrations_test
}  // namespace kernelgate::db

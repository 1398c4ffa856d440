// SPDX-License-Identifier: Apache-2.0
#include "commands/calibrate/calibrate.hpp"

#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>

#include "commands/calibrate/probe_repository.hpp"
#include "commands/local_machine.hpp"
#include "db/runs/comparisons.hpp"
#include "db/store/database.hpp"
#include "tests/support/table_repository.hpp"

namespace kernelgate::local {
namespace calibrate_test {

using testing::HasSubstr;

class CalibrateTest : public testing::Test {
 protected:
  CalibrateTest() {
    options_.run.repository = repository_.folder();
    options_.run.no_sandbox = true;
    options_.run.program = "p";
    options_.pairs = 8;
    options_.slowdowns.clear();
  }

  Result<Calibrated> run() {
    return calibrate(options_, [](const std::string&) {}, {});
  }
  Calibrated good() {
    auto found = run();
    EXPECT_TRUE(found) << to_string(found.error());
    return found.value_or(Calibrated{});
  }

  TableRepository repository_;
  CalibrateOptions options_;
};

TEST_F(CalibrateTest, AProgramAgainstItselfIsTimedThoughItIsTheSame) {
  repository_.commit({{"times", "a\t100\nb\t200\n"}});
  const Calibrated found = good();
  ASSERT_EQ(found.found.benchmarks.size(), 2u);
  for (const db::CalibratedBenchmark& one : found.found.benchmarks) {
    EXPECT_EQ(one.pairs, 8);
    EXPECT_EQ(one.injected, 0);
    EXPECT_EQ(one.trials, 2) << "at pairs 0 and 4 of 8, at most 4 each";
    EXPECT_EQ(one.unchanged, 2);
    EXPECT_EQ(one.ratio, 1);
    EXPECT_EQ(one.detectable, 0);
  }
}

// Its times jump by up to 30 % from process to process: nothing of 3 % can be told there.
TEST_F(CalibrateTest, WhatANoisySuiteCannotTellIsNeverUnchanged) {
  repository_.commit({{"times", "loud\t100\tnoisy 0.3\nquiet\t100\n"}});
  const Calibrated found = good();
  ASSERT_EQ(found.found.benchmarks.size(), 2u);
  EXPECT_GT(found.found.benchmarks[0].detectable, 0.03);
  EXPECT_THAT(to_table(found, {}), HasSubstr("loud: 3 % is not detectable here"));
  ASSERT_EQ(found.quarantined.size(), 1u);
  EXPECT_THAT(to_table(found, {}), HasSubstr("quarantined: Table: loud: 3 % is not detectable, "));

  repository_.commit({{"times", "loud\t100\tnoisy 0.3\nquiet\t100.5\n"}});
  const auto judged = run_here(options_.run, [](const std::string&) {}, {});
  ASSERT_TRUE(judged) << to_string(judged.error());
  EXPECT_EQ(judged->decision.conclusion, Conclusion::passed) << "what is set aside decides nothing";
  for (const Comparison& one : judged->decision.comparisons) {
    if (one.benchmark == "quiet") {
      EXPECT_EQ(one.verdict, Verdict::unchanged);
      continue;
    }
    EXPECT_NE(one.verdict, Verdict::unchanged);
    EXPECT_THAT(one.quarantined, HasSubstr("calibration: 3 % is not detectable, "));
    if (one.verdict == Verdict::undecided) {
      EXPECT_THAT(one.reason, HasSubstr("3 % is not detectable here"));
    }
  }
}

TEST_F(CalibrateTest, WhatWasFoundIsStoredForTheEpoch) {
  repository_.commit({{"times", "a\t100\tnoisy 0.01\n"}});
  const Calibrated found = good();
  const auto database = db::Database::open(repository_.folder() / ".git/kernelgate/local.db");
  ASSERT_TRUE(database);
  const auto stored = (*database)->read(
      [&](db::Connection& connection) { return db::last_calibration(connection, RepositoryId{1}, EpochId{1}); });
  ASSERT_TRUE(stored && *stored);
  EXPECT_EQ((*stored)->commit, found.found.commit);
  EXPECT_EQ((*stored)->program, "p");
  ASSERT_EQ((*stored)->benchmarks.size(), 1u);
  EXPECT_EQ((*stored)->benchmarks[0].detectable, found.found.benchmarks[0].detectable);
}

TEST_F(CalibrateTest, FewPairsDoNotReplaceMany) {
  repository_.commit({{"times", "a\t100\tnoisy 0.01\n"}});
  const Calibrated many = good();
  EXPECT_TRUE(many.outranked.empty());
  options_.pairs = 2;
  const Calibrated few = good();
  ASSERT_EQ(few.outranked.size(), 1u);
  EXPECT_EQ(few.outranked[0].by.degrees, 7);
  EXPECT_EQ(few.outranked[0].by.detectable, many.found.benchmarks[0].detectable);
  EXPECT_THAT(to_table(few, {}), HasSubstr("counts on, 7 degrees of freedom against 1 here"));
  EXPECT_EQ(nlohmann::json::parse(to_json(few))["outranked"][0]["benchmark"], "a");
  options_.pairs = 8;
  EXPECT_TRUE(good().outranked.empty()) << "as many take the place of older ones";
}

// The whole path with real extra work: built by this machine's compiler, started, measured, judged.
TEST_F(CalibrateTest, InjectedWorkIsRealTime) {
  repository_.commit({{"times", "a\t100\n"}});
  options_.slowdowns = {1.0};
  options_.pairs = 4;
  const Calibrated found = good();
  std::map<std::string, double> ratio;
  for (const db::CalibratedBenchmark& one : found.found.benchmarks)
    if (one.suite == db::kCalibrationSuite && one.injected == 1) ratio[one.benchmark] = one.ratio;
  ASSERT_EQ(ratio.size(), 2u);
  EXPECT_GT(ratio["calibration/compute"], 1) << "twice the work, on a machine that may be loaded";
  const auto json = nlohmann::json::parse(to_json(found));
  ASSERT_EQ(json["caught"].size(), 1u);
  EXPECT_EQ(json["caught"][0]["injected"], 1);
  EXPECT_TRUE(json["server"].is_null());
  EXPECT_EQ(json["benchmarks"][0]["detectable"], found.found.benchmarks[0].detectable);
  EXPECT_EQ(json["benchmarks"].size(), 5u) << "a, and two of our own at 0 and at 100 %";
}

TEST_F(CalibrateTest, BadInputIsNamed) {
  repository_.commit({{"times", "a\t100\n"}});
  options_.pairs = 7;
  EXPECT_EQ(run().error().where, "--pairs");
  options_.pairs = 2;
  options_.slowdowns = {0};
  EXPECT_EQ(run().error().where, "--inject");
  options_.slowdowns.clear();
  options_.gpu_seconds = 0;
  EXPECT_EQ(run().error().where, "--gpu-seconds");
  options_.gpu_seconds = 60;
  options_.run.cpus = {4000};
  EXPECT_EQ(run().error().where, "--cpus");
  options_.run.cpus.clear();
  options_.run.suite = "none";
  EXPECT_EQ(run().error().code, Errc::not_found);
  options_.run.suite.clear();
  options_.run.repository = "/nowhere";
  EXPECT_FALSE(run());
}

}  // namespace calibrate_test
}  // namespace kernelgate::local

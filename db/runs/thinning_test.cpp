// SPDX-License-Identifier: Apache-2.0
#include "db/runs/thinning.hpp"

#include "core/stats/summary.hpp"
#include "db/accounts/audit.hpp"
#include "db/baselines/baselines.hpp"
#include "db/baselines/sessions.hpp"
#include "db/store/backup.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace thinning_test {

const std::vector<double> kNine{5, 1, 9, 3, 7, 2, 8, 4, 6};

TEST(ThinnedSamples, AreTheirQuantilesWithTheMedianAsItWas) {
  EXPECT_EQ(thinned(kNine), (std::vector<double>{1, 3, 5, 7, 9}));
  const std::vector<double> ten{5, 1, 9, 3, 7, 2, 8, 4, 6, 10};
  EXPECT_EQ(thinned(ten), (std::vector<double>{1, 3.25, 5, 6, 7.75, 10}));
  EXPECT_EQ(stats::median(thinned(ten)).value(), stats::median(ten).value());
  EXPECT_EQ(thinned(std::vector<double>{3, 1, 2, 5, 4}), (std::vector<double>{3, 1, 2, 5, 4}));
  EXPECT_EQ(thinned(std::vector<double>{6, 5, 4, 3, 2, 1}), (std::vector<double>{6, 5, 4, 3, 2, 1}));
  EXPECT_TRUE(thinned({}).empty());
}

class Thinning : public StoreTest {
 protected:
  // A passed run that timed base and head.
  RunId measured(int commit) {
    const RunId run = working_run(commit);
    const std::string id = std::to_string(commit);
    for (const Side side : {Side::base, Side::head})
      EXPECT_TRUE(put_process(connection, run, process(id + std::string(to_string(side)), side, 0, kNine), at(commit)));
    finish(run, Conclusion::passed);
    return run;
  }
  std::vector<double> samples_of(RunId run) {
    return evidence_processes(connection, run).at(0).series.at(0).samples_ns;
  }
  Thinned thin_all(bool dry_run = false) {
    return thin(connection, {.before = at(1'000'000), .dry_run = dry_run}, "ann", at(2'000'000));
  }
};

TEST_F(Thinning, OldRunsLoseSamplesAndKeepVerdicts) {
  const RunId run = measured(1);
  const auto before = get_run(connection, run);
  const Thinned dry = thin_all(true);
  EXPECT_EQ(samples_of(run), kNine);
  const Thinned done = thin_all();
  EXPECT_EQ(done.runs, 1);
  EXPECT_EQ(done.series, 2);
  EXPECT_EQ(done.bytes, 2 * 4 * 8);
  EXPECT_EQ(std::tie(dry.runs, dry.series, dry.bytes), std::tie(done.runs, done.series, done.bytes));
  EXPECT_EQ(samples_of(run), (std::vector<double>{1, 3, 5, 7, 9}));
  const auto after = get_run(connection, run);
  EXPECT_EQ(after->thinned_at, at(2'000'000));
  EXPECT_EQ(after->conclusion, before->conclusion);
  EXPECT_EQ(thin_all().runs, 0);  // once
}

TEST_F(Thinning, AThinnedStoreIsWholeAndCanBeBackedUp) {
  const RunId run = measured(1);
  EXPECT_EQ(thin_all().series, 2);
  EXPECT_TRUE(check_integrity(folder / "store.db"));
  ASSERT_TRUE(back_up(folder / "store.db", folder / "copy.db"));
  Connection copy(folder / "copy.db");
  EXPECT_EQ(evidence_processes(copy, run).at(0).series.at(0).samples_ns.size(), 5U);
  connection.script("UPDATE series SET samples = x'00000000000000'");
  EXPECT_EQ(check_integrity(folder / "store.db").error().code, Errc::corrupt);
}

TEST_F(Thinning, YoungAndUnfinishedRunsKeepTheirSamples) {
  const RunId run = measured(1);
  EXPECT_EQ(thin(connection, {.before = at(0)}, "ann", at(9)).runs, 0);
  (void)working_run(2);
  EXPECT_EQ(thin_all().runs, 1);
  EXPECT_TRUE(get_run(connection, run)->thinned_at);
}

TEST_F(Thinning, BatchesGoOnUntilNothingIsLeft) {
  for (int i = 1; i <= 3; ++i) (void)measured(i);
  const ThinningWanted two{.before = at(1'000'000), .runs_max = 2};
  EXPECT_EQ(thin(connection, two, "ann", at(9)).runs, 2);
  EXPECT_EQ(thin(connection, two, "ann", at(9)).runs, 1);
  EXPECT_EQ(thin(connection, two, "ann", at(9)).runs, 0);
}

TEST_F(Thinning, BaselinesAndTheirSessionsAreNeverThinned) {
  const RunId run = measured(1), other = measured(2);
  connection.run(
      "INSERT INTO baselines (repository_id, run_id, epoch_id, name, actor, reason, promoted_at, replaced_at) "
      "VALUES (?, ?, ?, 'main', 'ann', 'r', ?, ?)",
      repository, run, epoch(), at(3), at(4));  // even one that was replaced since
  NewRun session{.repository = repository, .commit = hash_of(1)};
  session.base = {.kind = wire::BaseKind::none, .argument = "2"};
  session.source = std::string(kSessionSource);
  session.idempotency_key = "session";
  session.queued = false;
  const RunId second = add_run(connection, session, at(5))->id;
  ASSERT_TRUE(set_epoch(connection, second, epoch(), "local"));
  ASSERT_TRUE(put_process(connection, second, process("session", Side::head, 0, kNine), at(5)));
  finish(second, Conclusion::passed);
  const Thinned done = thin_all();
  EXPECT_EQ(done.runs, 1);
  EXPECT_EQ(samples_of(run), kNine);
  EXPECT_EQ(samples_of(second), kNine);
  EXPECT_NE(samples_of(other), kNine);
  const auto database = Database::open(folder / "store.db");
  ASSERT_TRUE(database);
  const auto left = thin_store(**database, {.before = at(1'000'000)}, "ann", at(9));
  ASSERT_TRUE(left);
  EXPECT_EQ(left->runs, 0);
  EXPECT_EQ(left->kept_runs, 2);
}

TEST_F(Thinning, IsOneActWithItsFigures) {
  (void)measured(1);
  (void)thin_all(true);  // changes nothing, so it is no action
  (void)thin_all();
  (void)thin_all();  // nothing was left
  const auto actions = list_actions(connection);
  ASSERT_EQ(actions.size(), 1U);
  EXPECT_EQ(actions[0].action.action, "store.thin");
  EXPECT_EQ(actions[0].action.actor, "ann");
  EXPECT_EQ(actions[0].action.subject, "runs before 1970-01-12");
  EXPECT_EQ(actions[0].action.detail, "1 runs, 64 bytes of samples");
}

}  // namespace thinning_test
}  // namespace kernelgate::db

// SPDX-License-Identifier: Apache-2.0
#include "db/runs/jobs.hpp"

#include <set>
#include <thread>

#include "db/runs/claims.hpp"
#include "db/store/database.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace jobs_test {

class Jobs : public StoreTest {
 protected:
  std::optional<ClaimedJob> claim(const std::string& lease, std::int64_t second, bool has_gpu = false,
                                  const std::string& testbed = "bed") {
    return claim_job(connection, {.runner = "r",
                                  .testbed = testbed,
                                  .has_gpu = has_gpu,
                                  .lease_sha256 = lease,
                                  .epoch = epoch(),
                                  .now = at(second)});
  }
};

TEST_F(Jobs, TheOldestGoesFirst) {
  const RunId first = queue_run(1);
  const RunId second = queue_run(2);
  EXPECT_EQ(claim("a", 0)->run, first);
  EXPECT_EQ(claim("b", 0)->run, second);
  EXPECT_FALSE(claim("c", 0));
  const db::Run run = *get_run(connection, first);
  EXPECT_EQ(run.state, RunState::claimed);
  EXPECT_EQ(run.runner, "r");
  EXPECT_EQ(run.testbed, "bed");
  EXPECT_EQ(run.claims, 1);
  EXPECT_EQ(run.generation, 1);
}

TEST_F(Jobs, OnlyFittingOnesAreClaimed) {
  const RunId run = queue_run(1);
  ASSERT_TRUE(claim("a", 0));
  ASSERT_TRUE(release_job(connection, run, "a", {.reason = "needs a GPU", .requires_gpu = true, .not_before = {}}));
  EXPECT_EQ(get_run(connection, run)->progress, "needs a GPU");
  EXPECT_FALSE(claim("b", 1));
  EXPECT_TRUE(claim("b", 1, true));
}

TEST_F(Jobs, AReleasedOneWaitsAsAsked) {
  const RunId run = queue_run(1);
  ASSERT_TRUE(claim("a", 0));
  ASSERT_TRUE(release_job(connection, run, "a", {.reason = "stopping", .requires_gpu = false, .not_before = at(10)}));
  EXPECT_EQ(get_run(connection, run)->state, RunState::queued);
  EXPECT_FALSE(claim("b", 9));
  EXPECT_TRUE(claim("b", 10));
  EXPECT_EQ(release_job(connection, run, "a", {.reason = {}, .requires_gpu = false, .not_before = {}}).error().code,
            Errc::conflict);
}

TEST_F(Jobs, ARenewedLeaseOutlivesItsFirstEnd) {
  const RunId run = queue_run(1);
  ASSERT_TRUE(claim("a", 0));
  ASSERT_TRUE(renew_lease(connection, run, "a", at(80)));
  EXPECT_TRUE(expire_leases(connection, at(100)).empty());
  EXPECT_EQ(lease_state(connection, run, "a"), LeaseState::held);
  EXPECT_EQ(renew_lease(connection, run, "b", at(80)).error().code, Errc::conflict);
}

TEST_F(Jobs, AnExpiredLeaseGivesTheJobBack) {
  const RunId run = queue_run(1);
  ASSERT_TRUE(claim("a", 0));
  EXPECT_EQ(lease_state(connection, run, "a"), LeaseState::held);
  const auto expired = expire_leases(connection, at(90));
  ASSERT_EQ(expired.size(), 1u);
  EXPECT_EQ(expired[0].run, run);
  EXPECT_FALSE(expired[0].gave_up);
  EXPECT_EQ(get_run(connection, run)->state, RunState::queued);
  EXPECT_EQ(lease_state(connection, run, "a"), LeaseState::lost);
  EXPECT_FALSE(renew_lease(connection, run, "a", at(91)));
  EXPECT_EQ(claim("b", 91)->generation, 2);
  EXPECT_EQ(lease_state(connection, run, "a"), LeaseState::lost);
  EXPECT_EQ(lease_state(connection, run, "b"), LeaseState::held);
}

TEST_F(Jobs, ARunThatLosesItsRunnerTooOftenIsInfrastructure) {
  const RunId run = queue_run(1);
  for (int i = 1; i <= limits::kClaimAttemptsMax; ++i) {
    ASSERT_TRUE(claim("a" + std::to_string(i), 100 * i)) << i;
    const auto expired = expire_leases(connection, at(100 * i + 90));
    ASSERT_EQ(expired.size(), 1u);
    EXPECT_EQ(expired[0].gave_up, i == limits::kClaimAttemptsMax);
  }
  const db::Run ended = *get_run(connection, run);
  EXPECT_EQ(ended.state, RunState::aborted);
  EXPECT_EQ(ended.conclusion, Conclusion::infrastructure);
  EXPECT_EQ(ended.reason, "lost_runner");
  EXPECT_EQ(ended.exit_code, 4);
  EXPECT_FALSE(claim("late", 5000));
  EXPECT_EQ(lease_state(connection, run, "a5"), LeaseState::lost);
}

TEST_F(Jobs, ReleasesAreNotHeldAgainstTheRun) {
  const RunId run = queue_run(1);
  for (int i = 0; i < 2 * limits::kClaimAttemptsMax; ++i) {
    ASSERT_TRUE(claim("a", i));
    ASSERT_TRUE(release_job(connection, run, "a", {.reason = "stopping", .requires_gpu = false, .not_before = {}}));
  }
  EXPECT_EQ(get_run(connection, run)->state, RunState::queued);
}

TEST_F(Jobs, LeasesSurviveTheServersOwnAbsence) {
  const RunId run = queue_run(1);
  ASSERT_TRUE(claim("a", 0));
  extend_leases(connection, at(690));  // back after ten minutes
  EXPECT_TRUE(expire_leases(connection, at(601)).empty());
  EXPECT_EQ(lease_state(connection, run, "a"), LeaseState::held);
}

TEST_F(Jobs, TheHolderLearnsHowItsRunEnded) {
  const RunId cancelled = queue_run(1);
  ASSERT_TRUE(claim("a", 0));
  ASSERT_TRUE(cancel_run(connection, cancelled, "why not", at(1)));
  EXPECT_EQ(lease_state(connection, cancelled, "a"), LeaseState::cancelled);
  const RunId finished = queue_run(2);
  ASSERT_TRUE(claim("b", 0));
  finish(finished, Conclusion::passed);
  EXPECT_EQ(lease_state(connection, finished, "b"), LeaseState::finished);
  EXPECT_EQ(lease_state(connection, finished, "a"), LeaseState::lost);
  EXPECT_EQ(lease_state(connection, finished, ""), LeaseState::lost);
  EXPECT_EQ(lease_state(connection, RunId{99}, "a"), LeaseState::lost);
}

TEST_F(Jobs, ANewLeaseSupersedesWhatTheOldOneStored) {
  const RunId run = queue_run(1);
  ASSERT_TRUE(claim("a", 0));
  ASSERT_TRUE(put_process(connection, run, process("old", Side::head, 0, {1, 2}), at(1)));
  (void)expire_leases(connection, at(90));
  ASSERT_TRUE(claim("b", 91));
  ASSERT_TRUE(put_process(connection, run, process("new", Side::head, 0, {3}), at(92)));
  const auto evidence = evidence_processes(connection, run);
  ASSERT_EQ(evidence.size(), 1u);
  EXPECT_EQ(evidence[0].id, "new");
  EXPECT_EQ(process_ids(connection, run), (std::vector<std::string>{"old", "new"}));
  const auto all = list_processes(connection, run, {.suite = {}, .benchmark = {}, .with_superseded = true});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_TRUE(all[1].superseded);
  EXPECT_EQ(all[1].process.series.at(0).samples_ns, (std::vector<double>{1, 2}));
}

TEST_F(Jobs, AClaimKeepsWhatItCarried) {
  const RunId run = queue_run(1);
  const std::vector<StoredVariance> carried{{"s", "a/\"1\"", 0.1, 15}, {"s", "b", 1.0 / 3, 22}};
  const std::vector<StoredSessions> sessions{
      {.suite = "s", .benchmark = "b", .baseline = "v1", .commit = "c", .sessions = {{1.0 / 3, 2}, {3}}}};
  put_claim(connection, run, 1, carried, sessions);
  const auto kept = claim_variances(connection, run, 1);
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].benchmark, carried[0].benchmark);
  EXPECT_EQ(kept[1].variance, 1.0 / 3);
  EXPECT_EQ(kept[1].degrees, 22);
  EXPECT_TRUE(claim_variances(connection, run, 2).empty());
  const auto kept_sessions = claim_sessions(connection, run, 1);
  ASSERT_EQ(kept_sessions.size(), 1u);
  EXPECT_EQ(kept_sessions[0].baseline, "v1");
  EXPECT_EQ(kept_sessions[0].sessions, sessions[0].sessions);
  EXPECT_TRUE(claim_sessions(connection, run, 2).empty());
}

TEST(JobsTogether, TwoClaimersNeverGetTheSame) {
  const Folder folder;
  auto database = std::move(Database::open(folder / "store.db")).value();
  constexpr int kRuns = 30;
  ASSERT_TRUE(database->write([](Connection& c) -> Status {
    const auto repository = add_repository(c, {.name = "k", .url = "u", .manifest = {}}, at(0));
    for (int i = 0; i < kRuns; ++i) {
      NewRun run{.repository = *repository, .commit = hash_of(i)};
      run.idempotency_key = std::to_string(i);
      if (const auto added = add_run(c, run, at(0)); !added) return pass_on(added);
    }
    return {};
  }));
  std::vector<std::vector<RunId>> claimed(2);
  std::vector<std::thread> claimers;
  for (int actor = 0; actor < 2; ++actor) {
    claimers.emplace_back([&, actor] {
      for (int i = 0;; ++i) {
        const std::string lease = std::to_string(actor) + "-" + std::to_string(i);
        const auto job = database->write([&](Connection& c) { return claim_job(c, {.lease_sha256 = lease}); });
        ASSERT_TRUE(job);
        if (!*job) return;
        claimed[static_cast<std::size_t>(actor)].push_back((*job)->run);
      }
    });
  }
  for (std::thread& claimer : claimers) claimer.join();
  std::set<RunId> all(claimed[0].begin(), claimed[0].end());
  all.insert(claimed[1].begin(), claimed[1].end());
  EXPECT_EQ(claimed[0].size() + claimed[1].size(), static_cast<std::size_t>(kRuns));
  EXPECT_EQ(all.size(), static_cast<std::size_t>(kRuns));
}

}  // namespace jobs_test
}  // namespace kernelgate::db

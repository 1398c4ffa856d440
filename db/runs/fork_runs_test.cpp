// SPDX-License-Identifier: Apache-2.0
// What a fork's run did never answers for the repository's own branch of the same name (docs/THREATS.md).
#include <gmock/gmock.h>

#include "core/decision/judged_key.hpp"
#include "db/history/main_line.hpp"
#include "db/history/overview.hpp"
#include "db/repositories/commits.hpp"
#include "db/runs/comparisons.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace fork_runs_test {

using testing::IsEmpty;
using testing::SizeIs;

// Runs of commit `number` on a branch called main: of the repository, or of a fork.
class ForkRunsTest : public StoreTest {
 protected:
  void judge(int number, bool is_fork, Conclusion conclusion, const std::string& key = {}) {
    NewRun run{.repository = repository, .commit = hash_of(number)};
    run.branch = "main";
    run.queued = false;
    run.idempotency_key = key.empty() ? std::to_string(number) : key;
    if (is_fork) run.pull_request = {.number = 7, .target = "main", .head_repository = "eve/kernels", .fork = true};
    const RunId id = add_run(connection, run, at(number))->id;
    ASSERT_TRUE(set_epoch(connection, id, epoch(), "bed"));
    Comparison one = comparison("b", Verdict::unchanged, 20, 20 * 0.25);
    one.head_median_ns = 100;
    finish(id, conclusion, {one});
  }
};

TEST_F(ForkRunsTest, TheBranchsStateIsThatOfItsOwnRuns) {
  judge(1, false, Conclusion::passed);
  judge(2, true, Conclusion::broken);
  EXPECT_EQ(newest_conclusion(connection, repository), Conclusion::passed);
  EXPECT_THAT(recent_runs(connection), SizeIs(1));
  EXPECT_THAT(bad_commits(connection, repository), IsEmpty());
  judge(3, false, Conclusion::broken);
  EXPECT_EQ(newest_conclusion(connection, repository), Conclusion::broken);
  EXPECT_THAT(bad_commits(connection, repository), SizeIs(1));
}

// A fork may offer a commit of the repository itself, and report what it likes of it.
TEST_F(ForkRunsTest, ItsVerdictClearsNoCommitOfTheRepository) {
  judge(1, false, Conclusion::broken);
  judge(1, true, Conclusion::passed, "of a fork");
  EXPECT_THAT(bad_commits(connection, repository), SizeIs(1));
  judge(1, false, Conclusion::passed, "again");
  EXPECT_THAT(bad_commits(connection, repository), IsEmpty());
}

TEST_F(ForkRunsTest, ItsSpreadIsNotStored) {
  judge(1, true, Conclusion::passed);
  EXPECT_THAT(stored_variances(connection, repository, epoch()), IsEmpty());
  judge(2, false, Conclusion::passed);
  EXPECT_THAT(stored_variances(connection, repository, epoch()), SizeIs(1));
}

TEST_F(ForkRunsTest, ItsVerdictAnswersForksAlone) {
  const JudgedFacts own{.repository = 1, .base_tree = "a", .head_tree = "b", .manifest_sha256 = "m", .policy = "p"};
  JudgedFacts fork = own;
  fork.untrusted = true;
  EXPECT_NE(judged_key(own), judged_key(fork));
}

}  // namespace fork_runs_test
}  // namespace kernelgate::db

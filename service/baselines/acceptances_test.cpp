// SPDX-License-Identifier: Apache-2.0
#include "service/baselines/acceptances.hpp"

#include "db/accounts/audit.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::service {
namespace acceptances_test {

using namespace db;  // NOLINT(google-build-using-namespace): the store that the test fills

class Acknowledgements : public StoreTest {
 protected:
  RunId regressed(int commit, const std::string& key = {}) {
    const RunId run = working_run(commit, key);
    Comparison slow = comparison("gemm/64", Verdict::regressed);
    slow.severity = Severity::full;
    slow.ratio = 1.05;
    slow.head_median_ns = 105;
    Comparison fast = comparison("gemm/128", Verdict::unchanged);
    fast.ratio = 1;
    fast.head_median_ns = 7;
    finish(run, Conclusion::regressed, {slow, fast});
    return run;
  }
  Result<AcknowledgementId> accept_run(RunId run, const std::string& match = "gemm/.*",
                                       std::optional<Instant> expires_at = {}) {
    return accept_regressions(connection,
                              {.repository = repository,
                               .run = run,
                               .match = match,
                               .actor = "ann",
                               .reason = "needed",
                               .expires_at = expires_at},
                              at(2000));
  }
  std::vector<Acknowledgement> in_force(std::int64_t seconds = 2001) {
    return acknowledgements_in_force(connection, repository, epoch(), {}, at(seconds));
  }
  // A regressed run of pull request 7, at that commit.
  RunId regressed_in_pull_request(int commit, const std::string& key) {
    const RunId run = regressed(commit, key);
    connection.run("UPDATE runs SET pull_request = 7, branch = 'slow' WHERE id = ?", run);
    return run;
  }
  std::size_t count_in_force(std::optional<std::int64_t> pull_request) {
    return acknowledgements_in_force(connection, repository, epoch(), pull_request, at(2001)).size();
  }
};

TEST_F(Acknowledgements, TakeTheLevelOfTheRegressedBenchmarksThatMatch) {
  const auto id = accept_run(regressed(1));
  ASSERT_TRUE(id) << to_string(id.error());
  const auto found = in_force();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].suite, "s");
  EXPECT_EQ(found[0].benchmark, "gemm/64");
  EXPECT_EQ(found[0].ratio, 1.05);
  EXPECT_EQ(found[0].head_median_ns, 105);
  EXPECT_EQ(found[0].actor, "ann");
  const auto actions = list_actions(connection);
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(actions[0].action.action, "regression.accept");
  EXPECT_EQ(actions[0].action.detail, "acknowledgement 1, 'gemm/.*': needed");
  EXPECT_EQ(list_acknowledgements(connection, repository).at(0).benchmarks.size(), 1u);
  EXPECT_TRUE(acknowledgements_in_force(connection, repository, epoch("2"), {}, at(2001)).empty());
}

TEST_F(Acknowledgements, EndWhenTheyExpireOrAreRevoked) {
  const auto first = accept_run(regressed(1), "64", at(3000));
  EXPECT_EQ(in_force(2999).size(), 1u);
  EXPECT_EQ(in_force(3000).size(), 0u);
  const Revocation back{.repository = repository, .id = *first, .actor = "bob", .reason = "fixed"};
  ASSERT_TRUE(revoke_acceptance(connection, back, at(2500)));
  EXPECT_EQ(in_force(2600).size(), 0u);
  EXPECT_EQ(revoke_acceptance(connection, back, at(2501)).error().code, Errc::conflict);
  Revocation other = back;
  other.id.value = 99;
  EXPECT_EQ(revoke_acceptance(connection, other, at(2501)).error().code, Errc::not_found);
  other = back;
  other.repository.value = 99;
  EXPECT_EQ(revoke_acceptance(connection, other, at(2501)).error().code, Errc::not_found);
  other = back;
  other.reason.clear();
  EXPECT_EQ(revoke_acceptance(connection, other, at(2501)).error().code, Errc::invalid);
  EXPECT_EQ(get_acknowledgement(connection, *first)->revoked_by, "bob");
  EXPECT_EQ(list_actions(connection).at(0).action.action, "regression.revoke");
}

TEST_F(Acknowledgements, TheSameRegressionIsAcceptedOnce) {
  const RunId run = regressed(1);
  const auto accept_because = [&](const std::string& reason, std::optional<Instant> expires_at = {}) {
    return accept_regressions(connection,
                              {.repository = repository,
                               .run = run,
                               .match = "gemm",
                               .actor = "bob",
                               .reason = reason,
                               .expires_at = expires_at},
                              at(2500));
  };
  ASSERT_TRUE(accept_run(run, "gemm/64"));
  const auto again = accept_because("needed");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Errc::conflict);
  EXPECT_EQ(again.error().what, "it is already accepted: acknowledgement 1 by ann: needed");
  EXPECT_EQ(list_acknowledgements(connection, repository).size(), 1u);

  const auto reworded = accept_because("needed for correctness");
  ASSERT_TRUE(reworded) << to_string(reworded.error());
  EXPECT_EQ(in_force(2501).size(), 1u);
  EXPECT_EQ(in_force(2501)[0].id, reworded->value);
  EXPECT_EQ(get_acknowledgement(connection, AcknowledgementId{1})->revoked_reason, "replaced by acknowledgement 2");
  EXPECT_EQ(list_actions(connection).at(0).action.action, "regression.revoke");

  const Instant later = at(2500) + std::chrono::hours(240);
  ASSERT_TRUE(accept_because("needed for correctness", later));
  EXPECT_FALSE(accept_because("needed for correctness", later + std::chrono::hours(1)));
  EXPECT_TRUE(accept_because("needed for correctness", later + std::chrono::hours(24)));
  EXPECT_EQ(in_force(2501).size(), 1u);
}

TEST_F(Acknowledgements, WhatCannotBeAcceptedIsRefused) {
  const RunId run = regressed(1);
  EXPECT_EQ(accept_run(run, "(").error().code, Errc::invalid);
  EXPECT_EQ(accept_run(run, "conv").error().code, Errc::conflict);
  EXPECT_EQ(accept_run(run, "gemm/128").error().code, Errc::conflict);  // it did not regress
  EXPECT_EQ(accept_run(run, "gemm", at(2000)).error().code, Errc::invalid);
  EXPECT_EQ(accept_run(RunId{99}).error().code, Errc::not_found);
  EXPECT_EQ(accept_run(working_run(2)).error().code, Errc::conflict);
  EXPECT_EQ(
      accept_regressions(connection,
                         {.repository = RepositoryId{9}, .run = run, .match = "g", .actor = "a", .reason = "r"}, at(1))
          .error()
          .code,
      Errc::conflict);
  EXPECT_EQ(accept_regressions(connection, {.repository = repository, .run = run, .match = "g", .actor = "a"}, at(1))
                .error()
                .code,
            Errc::invalid);
  const RunId copy = working_run(3);
  ASSERT_TRUE(finish_reused(connection, copy, run, at(3)));
  EXPECT_TRUE(accept_run(copy)) << "the run that it shows is meant";
  (void)epoch("2");
  EXPECT_EQ(accept_run(run).error().code, Errc::conflict);
}

TEST_F(Acknowledgements, AVerdictThatWasAcceptedSinceAnswersNobody) {
  const RunId run = regressed(1);
  EXPECT_TRUE(verdict_stands(connection, run, {}, at(1999)));
  const auto id = accept_run(run, "64", at(3000));
  EXPECT_FALSE(verdict_stands(connection, run, {}, at(2001)));
}

TEST_F(Acknowledgements, AVerdictThatPassedByOneEndsWithIt) {
  ASSERT_TRUE(accept_regressions(connection,
                                 {.repository = repository,
                                  .run = regressed(1),
                                  .match = "64",
                                  .actor = "ann",
                                  .reason = "needed",
                                  .expires_at = at(3000)},
                                 at(999)));
  const RunId later = regressed(2);  // finished at 1000
  EXPECT_TRUE(verdict_stands(connection, later, {}, at(2999)));
  EXPECT_FALSE(verdict_stands(connection, later, {}, at(3000)));
}

TEST_F(Acknowledgements, OfAPullRequestHoldForItsRunsAloneUntilItIsMerged) {
  ASSERT_TRUE(accept_run(regressed_in_pull_request(1, "pull")));
  EXPECT_EQ(count_in_force(7), 1u);
  EXPECT_EQ(count_in_force({}), 0u) << "the default branch knows nothing of it";
  EXPECT_EQ(count_in_force(8), 0u) << "nor does another pull request";
  note_merged(connection, repository, hash_of(2), at(2001));
  EXPECT_EQ(count_in_force({}), 0u) << "another commit was merged";
  note_merged(connection, repository, hash_of(1), at(2001));
  EXPECT_EQ(count_in_force({}), 1u);
  EXPECT_EQ(count_in_force(8), 1u);
  EXPECT_EQ(list_acknowledgements(connection, repository).at(0).merged_at, at(2001));
}

// An earlier head was accepted; the slowdown is no part of what was merged.
TEST_F(Acknowledgements, WhatThePullRequestDroppedIsNotMerged) {
  ASSERT_TRUE(accept_run(regressed_in_pull_request(1, "first")));
  const RunId last = working_run(2, "last");
  connection.run("UPDATE runs SET pull_request = 7, branch = 'slow' WHERE id = ?", last);
  finish(last, Conclusion::passed, {comparison("gemm/64", Verdict::unchanged)});
  note_merged(connection, repository, hash_of(2), at(2001));
  EXPECT_EQ(count_in_force({}), 0u);
}

TEST_F(Acknowledgements, ARunOfThePullRequestsCommitSpeaksForThePullRequest) {
  const RunId push = regressed(1, "push");  // the webhook of the push came first
  connection.run("UPDATE runs SET branch = 'slow' WHERE id = ?", push);
  (void)regressed_in_pull_request(1, "pull");
  ASSERT_TRUE(accept_run(push));
  EXPECT_EQ(count_in_force({}), 0u);
  EXPECT_EQ(count_in_force(7), 1u);
}

TEST_F(Acknowledgements, AVerdictUnderOneOfAPullRequestAnswersThatPullRequestAlone) {
  ASSERT_TRUE(accept_regressions(connection,
                                 {.repository = repository,
                                  .run = regressed_in_pull_request(1, "pull"),
                                  .match = "64",
                                  .actor = "ann",
                                  .reason = "needed"},
                                 at(999)));
  const RunId passed = regressed_in_pull_request(2, "after");  // finished at 1000, judged with the acceptance
  EXPECT_TRUE(verdict_stands(connection, passed, 7, at(2000)));
  EXPECT_FALSE(verdict_stands(connection, passed, {}, at(2000))) << "main must be judged without it";
  EXPECT_FALSE(verdict_stands(connection, passed, 8, at(2000)));
  note_merged(connection, repository, hash_of(1), at(999));
  EXPECT_TRUE(verdict_stands(connection, passed, {}, at(2000)));
}

}  // namespace acceptances_test
}  // namespace kernelgate::service

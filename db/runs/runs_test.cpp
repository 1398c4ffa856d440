// SPDX-License-Identifier: Apache-2.0
#include "db/runs/runs.hpp"

#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "db/repositories/commits.hpp"
#include "db/runs/checks.hpp"
#include "db/runs/comparisons.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace runs_test {

class Runs : public StoreTest {
 protected:
  RunId judged_run(int commit, Conclusion conclusion, const std::string& judged_key, const std::string& key = {}) {
    const RunId id = working_run(commit, key);
    ResolvedRun resolved;
    resolved.base_commit = hash_of(1);
    resolved.base_tree = hash_of(11);
    resolved.head_tree = hash_of(12);
    resolved.manifest_sha256 = "m";
    resolved.rule_version = 1;
    resolved.judged_key = judged_key;
    EXPECT_TRUE(set_resolved(connection, id, resolved));
    finish(id, conclusion);
    return id;
  }
};

TEST_F(Runs, TheSameKeyIsTheSameRun) {
  NewRun run{.repository = repository, .commit = hash_of(5)};
  run.idempotency_key = "k";
  const auto first = add_run(connection, run, at(1));
  const auto again = add_run(connection, run, at(2));
  ASSERT_TRUE(first && again);
  EXPECT_TRUE(first->is_new);
  EXPECT_FALSE(again->is_new);
  EXPECT_EQ(first->id, again->id);
}

TEST_F(Runs, AnUnknownRepositoryIsAnError) {
  NewRun run{.repository = RepositoryId{99}, .commit = hash_of(5)};
  run.idempotency_key = "k";
  EXPECT_EQ(add_run(connection, run, at(1)).error().code, Errc::not_found);
}

TEST_F(Runs, TheQueueOfARepositoryIsBounded) {
  const Transaction transaction(connection);
  for (int i = 0; i < limits::kQueuedRunsMax; ++i) (void)queue_run(i);
  NewRun run{.repository = repository, .commit = hash_of(99999)};
  run.idempotency_key = "one more";
  EXPECT_EQ(add_run(connection, run, at(1)).error().code, Errc::too_many);
}

TEST_F(Runs, AHeldRunHasNoJobUntilItIsApproved) {
  NewRun run{.repository = repository, .commit = hash_of(5)};
  run.idempotency_key = "k";
  run.pull_request =
      wire::PullRequest{.number = 7, .target = "main", .head_repository = "ada/kernels", .fork = true, .sender = "ada"};
  run.held = true;
  const RunId id = add_run(connection, run, at(1))->id;
  const JobClaim claim{.runner = "r", .lease_sha256 = "l", .now = at(2)};
  EXPECT_EQ(get_run(connection, id)->state, RunState::held);
  EXPECT_EQ(wire::encode(*get_run(connection, id)->pull_request), wire::encode(*run.pull_request));
  EXPECT_FALSE(claim_job(connection, claim));
  EXPECT_EQ(set_progress(connection, id, RunState::building, "").error().code, Errc::conflict);

  EXPECT_TRUE(approve_run(connection, id));
  EXPECT_EQ(approve_run(connection, id).error().code, Errc::conflict);
  ASSERT_TRUE(claim_job(connection, claim));
  EXPECT_EQ(get_run(connection, id)->state, RunState::claimed);
  EXPECT_EQ(approve_run(connection, RunId{99}).error().code, Errc::not_found);
}

TEST_F(Runs, HeldRunsOfARepositoryAreBounded) {
  const Transaction transaction(connection);
  NewRun run{.repository = repository, .commit = hash_of(5)};
  run.held = true;
  for (int i = 0; i <= limits::kHeldRunsMax; ++i) {
    run.idempotency_key = std::to_string(i);
    const auto added = add_run(connection, run, at(1));
    ASSERT_EQ(added.has_value(), i < limits::kHeldRunsMax) << i;
  }
  (void)queue_run(6);  // the queue has room of its own
}

TEST_F(Runs, KeepsWhatTheTriggerSaid) {
  NewRun run{.repository = repository, .commit = hash_of(5)};
  run.branch = "topic";
  run.subject = "It's a \"test\" – naïve";
  run.author = "A <a@b>";
  run.base = {.kind = wire::BaseKind::merge_base, .argument = "main"};
  run.source = "pre-push";
  run.idempotency_key = "k";
  run.seed = 0xfedcba9876543210ull;
  run.force = true;
  const auto stored = get_run(connection, add_run(connection, run, at(7))->id);
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->repository, "kernels");
  EXPECT_EQ(stored->commit, run.commit);
  EXPECT_EQ(stored->subject, run.subject);
  EXPECT_EQ(stored->author, run.author);
  EXPECT_EQ(stored->base.kind, wire::BaseKind::merge_base);
  EXPECT_EQ(stored->base.argument, "main");
  EXPECT_EQ(stored->seed, run.seed);
  EXPECT_TRUE(stored->force);
  EXPECT_EQ(stored->state, RunState::queued);
  EXPECT_EQ(stored->created_at, at(7));
  EXPECT_FALSE(stored->conclusion);
  const wire::Run wire = to_wire(*stored);
  EXPECT_EQ(wire.commit_status, "pending");
  EXPECT_EQ(wire.exit_code, -1);
  EXPECT_EQ(wire.created_at, at(7));
}

TEST_F(Runs, FinishingWritesEverythingOnce) {
  const RunId id = working_run(5);
  ASSERT_TRUE(put_process(connection, id, process("p", Side::head, 0, {3, 1, 2}), at(6)));
  FinishedRun finished;
  finished.decision.conclusion = Conclusion::regressed;
  finished.decision.reason = "slow";
  finished.decision.summary = "b is 4 % slower";
  finished.decision.notices = {"clock-coupled"};
  Comparison full = comparison("b", Verdict::regressed, 3, 0.5);
  full.ratio = 1.04;
  full.severity = Severity::full;
  full.pairs = 4;
  full.looks.push_back(
      {.pairs = 4, .mean = 0.039, .se = 0.001, .degrees = 3, .used_stored = true, .verdict = Verdict::regressed});
  finished.decision.comparisons = {full, comparison("other", Verdict::missing)};
  CheckCase check;
  check.suite = "s";
  check.name = "odd";
  check.passed = false;
  check.rel_err = 0.25;
  check.fingerprint = "f";
  finished.evidence.suites.emplace_back().checks = {check};
  finished.notices = {"creep"};
  finished.gpu_s_used = 2.5;
  ASSERT_TRUE(finish_run(connection, id, finished, at(9)));

  const db::Run run = *get_run(connection, id);
  EXPECT_EQ(run.state, RunState::done);
  EXPECT_EQ(run.conclusion, Conclusion::regressed);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.finished_at, at(9));
  EXPECT_EQ(run.notices, (std::vector<std::string>{"clock-coupled", "creep"}));
  EXPECT_EQ(run.gpu_s_used, 2.5);
  EXPECT_EQ(to_wire(run).commit_status, "failure");
  const auto comparisons = list_comparisons(connection, id);
  ASSERT_EQ(comparisons.size(), 2u);
  EXPECT_EQ(comparisons[0].ratio, 1.04);
  EXPECT_EQ(comparisons[0].severity, Severity::full);
  EXPECT_FALSE(comparisons[0].mwu_p);
  ASSERT_EQ(comparisons[0].looks.size(), 1u);
  EXPECT_EQ(comparisons[0].looks[0].mean, 0.039);
  EXPECT_TRUE(comparisons[0].looks[0].used_stored);
  EXPECT_EQ(comparisons[1].verdict, Verdict::missing);
  EXPECT_EQ(list_comparisons(connection, id, 1, 1).at(0).benchmark, "other");
  EXPECT_EQ(list_checks(connection, id).at(0).rel_err, 0.25);
  EXPECT_EQ(runs_with_fingerprint(connection, repository, "f"), std::vector<RunId>{id});
  EXPECT_EQ(get_documents(connection, id)->decision, wire::encode(finished.decision));
}

TEST_F(Runs, WhatHasNoColumnComesFromTheStoredDecision) {
  const RunId id = working_run(6);
  FinishedRun finished;
  Comparison bimodal = comparison("bimodal", Verdict::unchanged);
  DistributionChange& change = bimodal.distribution.emplace();
  change.kind = "modes";
  change.head_share = 0.5;
  change.head_counts = {3, 0, 3};
  finished.decision.comparisons = {comparison("plain", Verdict::unchanged), bimodal};
  ASSERT_TRUE(finish_run(connection, id, finished, at(9)));
  const auto all = list_comparisons(connection, id);
  EXPECT_FALSE(all.at(0).distribution);
  ASSERT_TRUE(all.at(1).distribution);
  EXPECT_EQ(all[1].distribution->head_counts, (std::vector<int>{3, 0, 3}));
  EXPECT_EQ(list_comparisons(connection, id, 1, 1).at(0).distribution->kind, "modes");
  EXPECT_EQ(stored_decision(connection, id).comparisons.at(1).distribution->head_share, 0.5);
}

TEST_F(Runs, ADecisionThatCannotBeReadIsAnErrorThatNamesRunAndDocument) {
  const RunId id = working_run(6);
  finish(id, Conclusion::passed, {comparison("b", Verdict::unchanged)});
  connection.run("UPDATE run_documents SET decision = '{\"comparisons\": 7}' WHERE run_id = ?", id);
  try {
    (void)list_comparisons(connection, id);
    FAIL() << "nothing was refused";
  } catch (const DbError& error) {
    EXPECT_EQ(error.error().code, Errc::corrupt);
    EXPECT_EQ(error.error().where, "run_documents.decision of run " + std::to_string(id.value));
  }
}

TEST_F(Runs, AFinishedRunNeverChanges) {
  const RunId id = working_run(5);
  finish(id, Conclusion::passed);
  const auto is_conflict = [](const auto& result) { return !result && result.error().code == Errc::conflict; };
  EXPECT_TRUE(is_conflict(finish_run(connection, id, {}, at(9))));
  EXPECT_TRUE(is_conflict(finish_reused(connection, id, id, at(9))));
  EXPECT_TRUE(is_conflict(cancel_run(connection, id, "late", at(9))));
  EXPECT_TRUE(is_conflict(set_progress(connection, id, RunState::measuring, "")));
  EXPECT_TRUE(is_conflict(set_resolved(connection, id, {})));
  EXPECT_TRUE(is_conflict(set_epoch(connection, id, epoch(), "r")));
  EXPECT_TRUE(is_conflict(put_process(connection, id, process("p", Side::head, 0, {1}), at(9))));
  EXPECT_EQ(get_run(connection, id)->conclusion, Conclusion::passed);
}

TEST_F(Runs, ACancelledOneHasNoConclusion) {
  const RunId id = queue_run(5);
  ASSERT_TRUE(cancel_run(connection, id, "not needed", at(9)));
  const wire::Run run = to_wire(*get_run(connection, id));
  EXPECT_EQ(run.state, RunState::cancelled);
  EXPECT_EQ(run.conclusion, std::nullopt);
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_EQ(run.commit_status, "error");
  EXPECT_EQ(run.reason, "not needed");
  EXPECT_FALSE(claim_job(connection, {.lease_sha256 = "l"}));
}

TEST_F(Runs, AnAbortedOneIsInfrastructure) {
  const RunId id = working_run(5);
  FinishedRun finished;
  finished.state = RunState::aborted;
  ASSERT_TRUE(finish_run(connection, id, finished, at(9)));
  EXPECT_EQ(get_run(connection, id)->conclusion, Conclusion::infrastructure);
  EXPECT_EQ(get_run(connection, id)->exit_code, 4);
}

TEST_F(Runs, ProgressKeepsToTheStatesOfWork) {
  const RunId id = working_run(5);
  ASSERT_TRUE(set_progress(connection, id, RunState::measuring, "pair 3 of 16"));
  EXPECT_EQ(get_run(connection, id)->state, RunState::measuring);
  EXPECT_EQ(get_run(connection, id)->progress, "pair 3 of 16");
  EXPECT_FALSE(set_progress(connection, id, RunState::done, ""));
  EXPECT_FALSE(set_progress(connection, queue_run(6), RunState::building, ""));
  EXPECT_EQ(set_progress(connection, RunId{999}, RunState::building, "").error().code, Errc::not_found);
}

TEST_F(Runs, OnlyTrustedConclusionsAreReused) {
  struct Case {
    Conclusion conclusion;
    bool reused;
  };
  const Case cases[] = {{Conclusion::passed, true},     {Conclusion::regressed, true},
                        {Conclusion::broken, true},     {Conclusion::build_failed, true},
                        {Conclusion::undecided, false}, {Conclusion::infrastructure, false}};
  int number = 20;
  for (const Case& each : cases) {
    const std::string key = "key " + std::to_string(++number);
    const RunId id = judged_run(number, each.conclusion, key);
    const auto found = find_judged(connection, key);
    EXPECT_EQ(found.has_value(), each.reused) << to_string(each.conclusion);
    if (each.reused) {
      EXPECT_EQ(*found, id);
    }
  }
  EXPECT_FALSE(find_judged(connection, ""));
  EXPECT_FALSE(find_judged(connection, "unknown"));
}

TEST_F(Runs, AReusedRunPointsAtTheOneThatMeasured) {
  const RunId original = judged_run(5, Conclusion::regressed, "k");
  const RunId copy = queue_run(5, "again");
  ASSERT_TRUE(finish_reused(connection, copy, original, at(9)));
  const db::Run run = *get_run(connection, copy);
  EXPECT_EQ(run.conclusion, Conclusion::regressed);
  EXPECT_EQ(run.reused_from, original);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.base_commit, hash_of(1));
  EXPECT_EQ(find_judged(connection, "k"), original);
  EXPECT_FALSE(claim_job(connection, {.lease_sha256 = "l"}));
}

TEST_F(Runs, JudgedPartsMustAllFit) {
  const RunId id = judged_run(5, Conclusion::passed, "k");
  const JudgedParts parts{.repository = repository,
                          .base_tree = hash_of(11),
                          .head_tree = hash_of(12),
                          .manifest_sha256 = "m",
                          .rule_version = 1,
                          .epoch = epoch()};
  EXPECT_EQ(find_judged(connection, parts), id);
  for (const auto& spoil : std::vector<void (*)(JudgedParts&)>{
           [](JudgedParts& p) { p.base_tree = hash_of(13); }, [](JudgedParts& p) { p.head_tree = hash_of(13); },
           [](JudgedParts& p) { p.head_tree = ""; }, [](JudgedParts& p) { p.manifest_sha256 = "n"; },
           [](JudgedParts& p) { p.rule_version = 2; }, [](JudgedParts& p) { p.epoch = EpochId{99}; },
           [](JudgedParts& p) { p.repository = RepositoryId{99}; }}) {
    JudgedParts other = parts;
    spoil(other);
    EXPECT_FALSE(find_judged(connection, other));
  }
  // What was measured without a sandbox answers by the whole key alone.
  connection.run("UPDATE runs SET sandbox = 'none' WHERE id = ?", id);
  EXPECT_FALSE(find_judged(connection, parts));
  EXPECT_EQ(find_judged(connection, "k"), id);
}

TEST_F(Runs, PagesFollowEachOtherWithoutGapsOrRepeats) {
  std::vector<RunId> all;
  for (int i = 0; i < 7; ++i) all.push_back(queue_run(i));
  std::vector<RunId> seen;
  for (Page page{.limit = 3};;) {
    const auto runs = list_runs(connection, {.repository = repository}, page);
    for (const db::Run& run : runs) seen.push_back(run.id);
    if (runs.size() < 3) break;
    page.before = runs.back().id.value;
  }
  std::reverse(seen.begin(), seen.end());
  EXPECT_EQ(seen, all);
}

TEST_F(Runs, FiltersNarrowTogether) {
  (void)queue_run(1);
  const RunId done = working_run(2);
  finish(done, Conclusion::broken);
  const auto other = add_repository(connection, {.name = "other", .url = "u", .manifest = {}}, at(0));
  ASSERT_TRUE(other);
  const auto count = [&](const RunFilter& filter) { return list_runs(connection, filter).size(); };
  EXPECT_EQ(count({}), 2u);
  EXPECT_EQ(count({.repository = *other}), 0u);
  EXPECT_EQ(count({.commit = hash_of(2)}), 1u);
  EXPECT_EQ(count({.commit = hash_of(2).substr(0, 39)}), 2u) << "both begin so";
  EXPECT_EQ(count({.commit = "00001"}), 0u);
  EXPECT_EQ(count({.testbed = "bed"}), 1u);
  EXPECT_EQ(count({.testbed = "other"}), 0u);
  EXPECT_EQ(count({.branch = "main"}), 2u);
  EXPECT_EQ(count({.branch = "topic"}), 0u);
  EXPECT_EQ(count({.state = RunState::done}), 1u);
  EXPECT_EQ(count({.repository = repository, .commit = hash_of(2), .conclusion = Conclusion::broken}), 1u);
  EXPECT_EQ(count({.conclusion = Conclusion::passed}), 0u);
  EXPECT_EQ(count({.unfinished_only = true}), 1u);
}

TEST_F(Runs, TheLargestRegressionElseTheLargestGainIsKept) {
  const auto judged = [](const std::string& name, Verdict verdict, double ratio) {
    Comparison out = comparison(name, verdict);
    out.ratio = ratio;
    return out;
  };
  const RunId slower = working_run(1), faster = working_run(2), same = working_run(3), reused = working_run(4);
  finish(slower, Conclusion::regressed,
         {judged("a", Verdict::improved, 0.5), judged("b", Verdict::regressed, 1.04),
          judged("c", Verdict::regressed, 1.14), judged("d", Verdict::undecided, 3)});
  finish(faster, Conclusion::passed, {judged("a", Verdict::improved, 0.9), judged("b", Verdict::improved, 0.7)});
  finish(same, Conclusion::passed, {judged("a", Verdict::unchanged, 1.02)});
  ASSERT_TRUE(finish_reused(connection, reused, slower, at(2000)));
  EXPECT_EQ(get_run(connection, slower)->largest_ratio, 1.14);
  EXPECT_EQ(get_run(connection, faster)->largest_ratio, 0.7);
  EXPECT_EQ(get_run(connection, same)->largest_ratio, std::nullopt);
  EXPECT_EQ(get_run(connection, reused)->largest_ratio, 1.14);
}

TEST_F(Runs, BadCommitsAreThoseWhoseLatestWordIsBad) {
  finish(working_run(1), Conclusion::broken);
  finish(working_run(2), Conclusion::build_failed);
  finish(working_run(3), Conclusion::regressed);
  finish(working_run(4), Conclusion::broken);
  finish(working_run(4, "4 again"), Conclusion::passed);
  finish(working_run(5), Conclusion::broken);
  finish(working_run(5, "5 again"), Conclusion::infrastructure);  // says nothing of the commit
  EXPECT_EQ(bad_commits(connection, repository), (std::vector{hash_of(5), hash_of(2), hash_of(1)}));
  EXPECT_EQ(bad_commits(connection, repository, 1), std::vector{hash_of(5)});
}

TEST_F(Runs, APullRequestRenamesNoCommitThatIsKnown) {
  NewRun run{.repository = repository, .commit = hash_of(1), .subject = "Tile by six", .idempotency_key = "push"};
  ASSERT_TRUE(add_run(connection, run, at(1)));
  run.subject = "Untrusted title";
  run.idempotency_key = "pull";
  run.pull_request.emplace().number = 7;
  const auto asked = add_run(connection, run, at(2));
  EXPECT_EQ(get_run(connection, asked->id)->subject, "Tile by six");
  run.commit = hash_of(2);
  run.idempotency_key = "new";
  const auto other = add_run(connection, run, at(3));
  EXPECT_EQ(get_run(connection, other->id)->subject, "Untrusted title");
}

TEST_F(Runs, WhatIsKnownOfACommitIsNeverForgotten) {
  (void)put_commit(connection, repository,
                   {.hash = hash_of(1), .tree = "t", .subject = "s", .author = "a", .parents = {hash_of(0)}});
  (void)put_commit(connection, repository,
                   {.hash = hash_of(1), .tree = {}, .subject = {}, .author = {}, .parents = {}});
  const auto commit = find_commit(connection, repository, hash_of(1));
  ASSERT_TRUE(commit);
  EXPECT_EQ(commit->facts.tree, "t");
  EXPECT_EQ(commit->facts.subject, "s");
  EXPECT_EQ(commit->facts.parents, std::vector{hash_of(0)});
  EXPECT_FALSE(find_commit(connection, repository, hash_of(9)));
}

}  // namespace runs_test
}  // namespace kernelgate::db

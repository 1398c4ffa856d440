// SPDX-License-Identifier: Apache-2.0
#include "service/ledger/attempt_record.hpp"

#include <gmock/gmock.h>

#include "core/wire/codec.hpp"
#include "db/accounts/audit.hpp"
#include "db/runs/comparisons.hpp"
#include "service/ledger/alike.hpp"
#include "service/runs/ends.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::service {
namespace attempt_record_test {

using namespace db;  // NOLINT(google-build-using-namespace): the store that the test fills

using ledger::Outcome;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class AttemptsTest : public StoreTest {
 protected:
  struct Try {
    int commit = 1;
    std::string branch = "try/a";
    std::vector<Comparison> comparisons{};
    std::optional<Conclusion> conclusion{};  // absent: what the comparisons make of it
    AttemptFacts facts{};
    std::string source = "cli";
    std::string head_program{}, base_program = "base";
    std::string reason{};
    std::optional<RepositoryId> at{};
  };
  RunId start(const Try& one) {
    NewRun run{.repository = one.at.value_or(repository), .commit = hash_of(one.commit), .branch = one.branch};
    run.subject = "Try " + std::to_string(one.commit);
    run.source = one.source;
    run.idempotency_key = "k" + std::to_string(++keys_);
    run.queued = false;
    const RunId id = add_run(connection, run, at(100))->id;
    EXPECT_TRUE(set_epoch(connection, id, epoch(), "local"));
    put_attempt_facts(connection, id, one.facts);
    return id;
  }
  RunId tried(const Try& one) {
    const RunId id = start(one);
    FinishedRun finished;
    finished.decision.conclusion = one.conclusion.value_or(conclusion_of(one.comparisons));
    finished.decision.reason = one.reason;
    finished.decision.summary = "in all";
    finished.decision.comparisons = one.comparisons;
    RunEvidence evidence;
    evidence.suites.emplace_back().name = "s";
    evidence.suites.back().base_program = one.base_program;
    evidence.suites.back().head_program = one.head_program;
    finished.evidence = evidence;
    finished.gpu_s_used = 2;
    finished.gpu_s_held = 3;
    finished.wall_s = 10;
    const Status done = end_run(connection, id, finished, at(1000 + keys_));
    EXPECT_TRUE(done) << to_string(done.error());
    return id;
  }
  static Conclusion conclusion_of(const std::vector<Comparison>& comparisons) {
    Conclusion out = Conclusion::passed;
    for (const Comparison& one : comparisons) {
      if (one.verdict == Verdict::broken) return Conclusion::broken;
      if (one.verdict == Verdict::regressed) out = Conclusion::regressed;
    }
    return out;
  }
  static Comparison timed(const std::string& name, Verdict verdict, double ratio) {
    Comparison out = comparison(name, verdict);
    out.pairs = 4;
    out.ratio = ratio;
    out.ratio_low = ratio - 0.01;
    out.ratio_high = ratio + 0.01;
    out.error_factor = 2;
    return out;
  }
  static Comparison wrong(const std::string& value) {
    Comparison out = comparison("b", Verdict::broken);
    out.reason = "wrong by " + value;
    out.fingerprint = "12345678 b wrong_value " + value;
    return out;
  }
  std::vector<wire::Attempt> all(const AttemptFilter& filter = {}) { return whole_attempts(connection, filter); }

  int keys_ = 0;
};

TEST_F(AttemptsTest, AFinishedRunOffTheDefaultBranchIsOne) {
  const RunId run = tried({.comparisons = {timed("a", Verdict::improved, 0.9), timed("b", Verdict::regressed, 1.2)},
                           .facts = {.hypothesis = "fewer loads", .patch_id = "p"}});
  tried({.commit = 2, .branch = "main", .comparisons = {timed("a", Verdict::regressed, 1.1)}});
  tried({.commit = 3, .source = "remeasure"});
  tried({.commit = 4, .source = "bisect"});
  tried({.commit = 5, .branch = ""});
  ASSERT_THAT(all(), SizeIs(1));
  const wire::Attempt one = all().front();
  EXPECT_EQ(one.kind, wire::AttemptKind::commit);
  EXPECT_EQ(one.branch, "try/a");
  EXPECT_EQ(one.subject, "Try 1");
  EXPECT_EQ(one.hypothesis, "fewer loads");
  EXPECT_EQ(one.outcome, Outcome::mixed);
  EXPECT_EQ(one.best->benchmark, "a");
  EXPECT_EQ(one.worst->ratio, 1.2);
  EXPECT_EQ(one.worst->high, 1.21);
  EXPECT_EQ(one.timed, 2);
  EXPECT_EQ(one.improved, 1);
  EXPECT_EQ(one.error_factor, 2);
  EXPECT_EQ(one.cost.build_s, 7);
  EXPECT_EQ(one.cost.check_s, 1);
  EXPECT_EQ(one.cost.measure_s, 2);
  EXPECT_FALSE(one.cost.money);
  EXPECT_THAT(one.runs, ElementsAre(run.value));
  EXPECT_TRUE(one.tried_at);
}

TEST_F(AttemptsTest, HeldSecondsCostMoneyWhereThePriceIsKnown) {
  const RunId run = start({});
  Process process = AttemptsTest::process("p", Side::head, 0, {1});
  process.state_json = R"({"price_per_hour":36})";
  ASSERT_TRUE(put_process(connection, run, process, at(1)));
  FinishedRun finished;
  finished.decision.conclusion = Conclusion::passed;
  finished.gpu_s_held = 100;
  ASSERT_TRUE(end_run(connection, run, finished, at(2)));
  EXPECT_DOUBLE_EQ(all().front().cost.money.value(), 1.0);
}

TEST_F(AttemptsTest, RecordingTwiceChangesNothing) {
  const RunId run = tried({.comparisons = {timed("a", Verdict::improved, 0.9)}});
  const std::string before = wire::encode(all().front());
  record_attempt(connection, run);
  EXPECT_THAT(all(), SizeIs(1));
  EXPECT_EQ(wire::encode(all().front()), before);
}

TEST_F(AttemptsTest, RunsOfOneCommitAreOneAttemptAndTheLastJudgementCounts) {
  tried({.comparisons = {}, .conclusion = Conclusion::infrastructure, .reason = "the disk is full"});
  EXPECT_EQ(all().front().outcome, Outcome::not_measured);
  tried({.comparisons = {timed("a", Verdict::improved, 0.9)}});
  EXPECT_EQ(all().front().outcome, Outcome::won);
  tried({.comparisons = {}, .conclusion = Conclusion::infrastructure});
  ASSERT_THAT(all(), SizeIs(1));
  EXPECT_EQ(all().front().outcome, Outcome::won);
  EXPECT_THAT(all().front().runs, SizeIs(3));
  EXPECT_EQ(all().front().cost.measure_s, 6);
}

TEST_F(AttemptsTest, CancelledAndSupersededRunsAreKept) {
  ASSERT_TRUE(stop_run(connection, start({.commit = 1}), "superseded by a newer push", at(5)));
  ASSERT_TRUE(stop_run(connection, start({.commit = 2}), "ann asked", at(6)));
  EXPECT_EQ(all()[1].outcome, Outcome::superseded);
  EXPECT_EQ(all()[0].outcome, Outcome::cancelled);
  EXPECT_EQ(all()[0].detail, "ann asked");
}

TEST_F(AttemptsTest, AReusedVerdictHasTheOldOnesFigures) {
  const RunId first = tried({.comparisons = {timed("a", Verdict::regressed, 1.2)}, .facts = {.patch_id = "p"}});
  const RunId again = start({.commit = 2, .branch = "try/b"});
  ASSERT_TRUE(reuse_verdict(connection, again, first, at(9)));
  EXPECT_EQ(all().front().outcome, Outcome::lost);
  EXPECT_THAT(all().front().notices,
              ElementsAre("you tried this before: the same change as attempt #1 (try/a: lost, +20.00 %)"));
}

TEST_F(AttemptsTest, TheSameFailureIsPointedOutOnEach) {
  tried({.commit = 1, .branch = "try/a", .comparisons = {wrong("24.0145")}});
  tried({.commit = 2, .branch = "try/b", .comparisons = {wrong("24.0145")}});
  tried({.commit = 3, .branch = "try/c", .comparisons = {wrong("24.0146")}});
  const RunId last = tried({.commit = 4, .branch = "try/d", .comparisons = {wrong("24.0145")}});
  tried({.commit = 5, .branch = "try/d", .comparisons = {wrong("24.0145")}});  // of the same branch: expected
  EXPECT_THAT(all()[4].notices, ElementsAre("the same failure as attempts #2, #4 and #5: b wrong_value 24.0145"));
  EXPECT_THAT(all()[2].notices, IsEmpty());
  EXPECT_THAT(attempt_notices(connection, last),
              ElementsAre("the same failure as attempts #1 and #2: b wrong_value 24.0145"));
  EXPECT_THAT(whole_run(connection, last)->notices,
              ElementsAre("the same failure as attempts #1 and #2: b wrong_value 24.0145"));
}

TEST_F(AttemptsTest, AnotherRepositorysFailuresAreNobodysBusiness) {
  const auto other = add_repository(connection, {.name = "other", .url = "file:///o", .manifest = {}}, at(0));
  const auto same = add_repository(connection, {.name = "sweep", .url = "file:///k", .manifest = {}}, at(0));
  tried({.commit = 1, .comparisons = {wrong("1")}, .at = *other});
  tried({.commit = 2, .branch = "try/b", .comparisons = {wrong("1")}, .at = *same});
  tried({.commit = 3, .branch = "try/c", .comparisons = {wrong("1")}});
  EXPECT_THAT(all()[0].notices, ElementsAre(HasSubstr("attempt #2: ")));
  EXPECT_THAT(all()[2].notices, IsEmpty());
}

TEST_F(AttemptsTest, TheSameMachineCodeWasTriedBefore) {
  tried({.commit = 1, .comparisons = {timed("a", Verdict::regressed, 1.3)}, .head_program = "x"});
  tried({.commit = 2, .branch = "try/b", .comparisons = {timed("a", Verdict::regressed, 1.3)}, .head_program = "x"});
  EXPECT_THAT(all()[0].notices,
              ElementsAre("you tried this before: the same machine code as attempt #1 (try/a: lost, +30.00 %)"));
  EXPECT_THAT(all()[1].notices, IsEmpty());
  // What changed nothing is no attempt's mark.
  tried({.commit = 3, .branch = "try/c", .head_program = "base"});
  tried({.commit = 4, .branch = "try/d", .head_program = "base"});
  EXPECT_THAT(all()[0].notices, IsEmpty());
}

TEST_F(AttemptsTest, PlannedPointsWaitForTheirRuns) {
  plan_points(connection, {repository, hash_of(1), "s", {"B=64", "B=80", "B=128"}}, at(1));
  plan_points(connection, {repository, hash_of(1), "s", {"B=64", "B=80", "B=128"}}, at(2));
  EXPECT_THAT(all(), SizeIs(3));
  const auto point = [](const std::string& name, bool is_reference = false) {
    return AttemptFacts{.hypothesis = {}, .patch_id = {}, .suite = "s", .point = name, .is_reference = is_reference};
  };
  tried({.comparisons = {timed("a", Verdict::unchanged, 1)},
         .conclusion = Conclusion::passed,
         .facts = point("B=64", true),
         .source = "sweep"});
  tried({.comparisons = {wrong("1")}, .facts = point("B=80"), .source = "sweep"});
  EXPECT_EQ(all()[2].outcome, Outcome::reference);
  EXPECT_EQ(all()[1].outcome, Outcome::broken);
  EXPECT_EQ(all()[0].outcome, Outcome::not_tried);
  EXPECT_EQ(all()[0].point, "B=128");
}

TEST_F(AttemptsTest, AnIdeaIsTakenOverByItsBranchesFirstRun) {
  const wire::AttemptNote idea{.repository = "kernels", .branch = "try/a", .hypothesis = "queues hide latency"};
  const auto id = note_attempt(connection, idea, "ann", at(1));
  ASSERT_TRUE(id);
  EXPECT_EQ(*note_attempt(connection, idea, "ann", at(1)), *id);
  EXPECT_EQ(all().front().outcome, Outcome::not_tried);
  tried({.comparisons = {timed("a", Verdict::improved, 0.9)}});
  ASSERT_THAT(all(), SizeIs(1));
  EXPECT_EQ(all().front().id, id->value);
  EXPECT_EQ(all().front().hypothesis, "queues hide latency");
  EXPECT_EQ(all().front().outcome, Outcome::won);
}

TEST_F(AttemptsTest, NotesAreKeptAndLogged) {
  const RunId run = tried({.branch = "main", .comparisons = {timed("a", Verdict::regressed, 1.1)}});
  EXPECT_THAT(all(), IsEmpty());
  const auto id = note_attempt(connection, {.repository = "kernels", .run = run.value, .hypothesis = "h", .lesson = {}},
                               "ann", at(1));
  ASSERT_TRUE(id);
  ASSERT_TRUE(change_attempt(connection, *id, {.hypothesis = {}, .lesson = "use fewer warps"}, "bob", at(2)));
  EXPECT_EQ(all().front().hypothesis, "h");
  EXPECT_EQ(all().front().lesson, "use fewer warps");
  EXPECT_EQ(all().front().outcome, Outcome::lost);
  const auto actions = list_actions(connection);
  EXPECT_EQ(actions[0].action.action, "attempt.change");
  EXPECT_EQ(actions[0].action.actor, "bob");
  EXPECT_EQ(actions[0].action.detail, "lesson: use fewer warps");
  EXPECT_EQ(actions[1].action.action, "attempt.note");
}

TEST_F(AttemptsTest, NotesOfNothingAreRefused) {
  const RunId run = tried({});
  const auto code = [&](const wire::AttemptNote& note) {
    return note_attempt(connection, note, "a", at(1)).error().code;
  };
  EXPECT_EQ(code({.repository = "kernels", .run = run.value}), Errc::invalid);
  EXPECT_EQ(code({.repository = "kernels", .run = 77, .lesson = "l"}), Errc::not_found);
  EXPECT_EQ(code({.repository = "none", .run = run.value, .lesson = "l"}), Errc::not_found);
  EXPECT_EQ(code({.repository = "kernels", .branch = "b", .lesson = "l"}), Errc::invalid);
  EXPECT_EQ(code({.repository = "kernels", .branch = "b\n", .hypothesis = "h"}), Errc::invalid);
  EXPECT_EQ(change_attempt(connection, AttemptId{99}, {.lesson = "l"}, "a", at(1)).error().code, Errc::not_found);
  EXPECT_EQ(change_attempt(connection, AttemptId{1}, {}, "a", at(1)).error().code, Errc::invalid);
  const auto other = add_repository(connection, {.name = "other", .url = "file:///o", .manifest = {}}, at(0));
  ASSERT_TRUE(other);
  EXPECT_EQ(code({.repository = "other", .run = run.value, .lesson = "l"}), Errc::not_found);
}

TEST_F(AttemptsTest, FiltersNarrowTheList) {
  tried({.commit = 1, .branch = "attempt/a", .comparisons = {timed("gemm/64", Verdict::improved, 0.9)}});
  tried({.commit = 2, .branch = "attempt/b", .comparisons = {wrong("1")}, .facts = {.hypothesis = "50% Fewer loads"}});
  tried({.commit = 3, .branch = "other", .comparisons = {}, .conclusion = Conclusion::build_failed});
  const auto ids = [&](const AttemptFilter& filter) {
    std::vector<std::int64_t> out;
    for (const wire::Attempt& one : all(filter)) out.push_back(one.id);
    return out;
  };
  EXPECT_THAT(ids({.outcomes = {Outcome::won, Outcome::broken}}), ElementsAre(2, 1));
  const auto of_branch = [&](const std::string& branch) {
    AttemptFilter filter;
    narrow_to_branch(filter, branch);
    return ids(filter);
  };
  EXPECT_THAT(of_branch("attempt/*"), ElementsAre(2, 1));
  EXPECT_THAT(of_branch("attempt/a"), ElementsAre(1));
  EXPECT_THAT(of_branch("attempt/"), IsEmpty());
  EXPECT_THAT(of_branch("*"), ElementsAre(3, 2, 1));
  EXPECT_THAT(of_branch(""), ElementsAre(3, 2, 1));
  EXPECT_THAT(ids({.since = at(1002)}), ElementsAre(3, 2));
  EXPECT_THAT(ids({.suite = "s"}), ElementsAre(2, 1));
  EXPECT_THAT(ids({.suite = "s", .benchmark = "gemm/64"}), ElementsAre(1));
  EXPECT_THAT(ids({.text = "50% fewer"}), ElementsAre(2));
  EXPECT_THAT(ids({.text = "5_% fewer"}), IsEmpty());
  EXPECT_THAT(list_attempts(connection, {}, {.before = 3, .limit = 1}), SizeIs(1));
  EXPECT_EQ(get_attempt(connection, AttemptId{9}).error().code, Errc::not_found);
}

}  // namespace attempt_record_test
}  // namespace kernelgate::service

// SPDX-License-Identifier: Apache-2.0
// What a webhook does to runs: of which repository it speaks, which runs it makes, joins, replaces or ends.
#include "service/webhooks/actions.hpp"

#include <gmock/gmock.h>

#include "db/accounts/audit.hpp"
#include "db/outbox/deliveries.hpp"
#include "db/repositories/webhook_secrets.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::service {
namespace actions_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using webhooks::Event;
using webhooks::Wish;

const std::string kZeros(40, '0');

class WebhookActions : public db::StoreTest {
 protected:
  WebhookActions() { hello = watch("hello", "https://github.com/Acme/Hello.git"); }
  RepositoryId watch(const std::string& name, const std::string& url, const std::string& full_name = {}) {
    return *db::add_repository(
        connection, {.name = name, .url = url, .default_branch = "main", .manifest = {}, .full_name = full_name},
        db::at(0));
  }
  static Event about(Wish wish, const std::string& repository = "acme/hello") {
    Event out;
    out.name = "push";
    out.repository = repository;
    out.urls = {"https://github.com/" + repository + ".git"};
    out.sender = "ann";
    out.wish = wish;
    out.why = "the branch was deleted";
    return out;
  }
  static Event push(int commit, const std::string& branch = "main", const std::string& before = {},
                    std::int64_t second = 0) {
    Event out = about(Wish::judge);
    out.head.commit = db::hash_of(commit);
    out.head.branch = branch;
    out.head.before = before.empty() ? db::hash_of(commit - 1) : before;
    if (second > 0) out.head.pushed_at = db::at(second);
    return out;
  }
  static Event pull(int commit, int number, bool is_fork, const std::string& target = "main") {
    Event out = push(commit, "topic");
    out.head.before.clear();
    wire::PullRequest& request = out.head.pull_request.emplace();
    request.number = number;
    request.target = target;
    request.head_repository = is_fork ? "eve/hello" : "acme/hello";
    request.fork = is_fork;
    return out;
  }
  Result<EventResult> done(const Event& event, int queued_max = 100) {
    return carry_out(connection, {.event = event, .queued_max = queued_max, .now = db::at(++now_)});
  }
  EventResult did(const Event& event) {
    auto out = done(event);
    EXPECT_TRUE(out) << to_string(out.error());
    return out.value_or(EventResult{});
  }
  db::Run run(const EventResult& result) { return db::get_run(connection, result.run.value_or(RunId{1})).value(); }
  std::vector<std::string> acts() {
    std::vector<std::string> out;
    for (const auto& one : db::list_actions(connection)) out.push_back(one.action.action + " " + one.action.subject);
    return out;
  }
  RepositoryId hello;
  int now_ = 100;
};

// Which registered repository an event of "acme/hello" on github.com is about.
struct Named {
  const char* name;
  const char* url;        // of the registered one
  const char* full_name;  // that an admin gave it
  bool is_meant;
};
const Named kNamed[] = {
    {"TheSameUrl", "https://github.com/acme/hello.git", "", true},
    {"TheSameUrlBySsh", "git@github.com:ACME/hello", "", true},
    {"AnotherHost", "https://example.com/acme/hello.git", "", false},
    {"AnotherOwner", "https://github.com/eve/hello.git", "", false},
    {"ALongerName", "https://github.com/acme/hello-world.git", "", false},
    {"AMirrorWithItsName", "/srv/git/mirror.git", "Acme/Hello", true},
    {"ANameThatSaysOtherwise", "https://github.com/acme/hello.git", "acme/other", false},
};
class WebhookNames : public WebhookActions, public testing::WithParamInterface<Named> {};
INSTANTIATE_TEST_SUITE_P(Webhooks, WebhookNames, testing::ValuesIn(kNamed),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_P(WebhookNames, DecideWhichRepositoryIsMeant) {
  connection.run("UPDATE repositories SET url = 'https://github.com/other/one.git' WHERE id = ?", hello);
  const RepositoryId mine = watch("mine", GetParam().url, GetParam().full_name);
  const auto made = done(push(2));
  ASSERT_EQ(made.has_value(), GetParam().is_meant);
  if (made)
    EXPECT_EQ(run(*made).repository_id, mine);
  else
    EXPECT_EQ(made.error().code, Errc::not_found);
}

TEST_F(WebhookActions, TwoRepositoriesOfOneNameAreAConflictAndNeitherIsJudged) {
  watch("copy", "/srv/copy.git", "acme/hello");
  const auto made = done(push(2));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, Errc::conflict);
  EXPECT_THAT(made.error().what, HasSubstr("hello"));
  EXPECT_THAT(made.error().what, HasSubstr("copy"));
  EXPECT_THAT(db::list_runs(connection, {}), IsEmpty());
}

// Refs of the author's choice reach git on a runner's command line.
TEST_F(WebhookActions, HostileRefsAreRefused) {
  const std::string hostile[] = {"--upload-pack=touch x", "a\nb", std::string("a\0b", 3), std::string(256, 'b')};
  for (const std::string& ref : hostile) {
    EXPECT_EQ(done(push(2, ref)).error().code, Errc::invalid) << ref;
    EXPECT_EQ(done(pull(2, 7, false, ref)).error().code, Errc::invalid) << ref;
  }
  EXPECT_TRUE(done(push(2, std::string(255, 'b'))));
}

TEST_F(WebhookActions, APushToTheDefaultBranchIsJudgedAgainstTheTipBeforeIt) {
  const db::Run main = run(did(push(2)));
  EXPECT_EQ(main.base.kind, wire::BaseKind::before);
  EXPECT_EQ(main.base.argument, db::hash_of(1));
  EXPECT_EQ(main.source, "webhook");
  EXPECT_EQ(run(did(push(3, "topic"))).base.kind, wire::BaseKind::merge_base);
  EXPECT_EQ(run(did(push(4, "main", kZeros))).base.argument, kZeros) << "a new branch has no tip: no base";
}

TEST_F(WebhookActions, WhatNobodyJudgesAnyMoreIsJudgedTogetherWithItsSuccessor) {
  const EventResult first = did(push(2));
  const EventResult second = did(push(3));
  EXPECT_EQ(run(second).base.argument, db::hash_of(1)) << "from before the first push";
  EXPECT_EQ(run(first).state, RunState::cancelled);
  EXPECT_EQ(run(first).superseded_by, second.run);
  EXPECT_THAT(second.changed, ElementsAre(*second.run, *first.run));
  EXPECT_THAT(acts(), ElementsAre("run.supersede run 1", "run.trigger run 2", "run.trigger run 1"));
}

TEST_F(WebhookActions, AnOlderPushThatComesLateIsIgnored) {
  const EventResult newer = did(push(3, "main", {}, 2000));
  const EventResult late = did(push(2, "main", {}, 1999));
  EXPECT_EQ(late.outcome, "ignored");
  EXPECT_THAT(late.detail, HasSubstr("run 1 is of a newer push"));
  EXPECT_FALSE(late.run);
  EXPECT_EQ(run(newer).state, RunState::queued);
  EXPECT_EQ(did(push(2, "topic", {}, 1999)).outcome, "queued") << "another branch has its own order";
}

TEST_F(WebhookActions, TheSamePushAgainIsTheSameRun) {
  const EventResult first = did(push(2)), again = did(push(2));
  EXPECT_EQ(first.outcome, "queued");
  EXPECT_EQ(again.outcome, "noted");
  EXPECT_EQ(again.run, first.run);
  EXPECT_EQ(again.detail, "run 1 is at work on it already");
  finish(*first.run, Conclusion::passed);
  EXPECT_EQ(did(push(2)).detail, "run 1 judged it before");
  EXPECT_NE(did(push(2, "main", db::hash_of(7))).run, first.run) << "the branch was moved back and forth";
}

TEST_F(WebhookActions, APushAndItsPullRequestAreOneRunWhicheverComesFirst) {
  const EventResult pushed = did(push(2, "topic"));
  EXPECT_EQ(did(pull(2, 7, false)).run, pushed.run);
  EXPECT_EQ(run(pushed).pull_request->number, 7);
  const EventResult opened = did(pull(3, 7, false));
  EXPECT_NE(opened.run, pushed.run);
  EXPECT_EQ(did(push(3, "topic")).run, opened.run);
  EXPECT_EQ(run(opened).pull_request->number, 7);
}

TEST_F(WebhookActions, AForksPullRequestIsHeldAndJoinsNoRunOfTheRepository) {
  const EventResult own = did(push(2, "topic"));
  const EventResult fork = did(pull(2, 7, true));
  EXPECT_NE(fork.run, own.run);
  EXPECT_EQ(fork.outcome, "held");
  EXPECT_EQ(run(fork).trust, db::Trust::fork);
  EXPECT_EQ(run(own).state, RunState::queued) << "nor does it replace one";
  EXPECT_EQ(did(pull(2, 7, true)).run, fork.run);
  const EventResult next = did(pull(3, 7, true));
  EXPECT_EQ(next.outcome, "held");
  EXPECT_EQ(run(fork).state, RunState::cancelled) << "its own older commit is replaced";
  EXPECT_EQ(run(own).state, RunState::queued);
  EXPECT_EQ(did(pull(3, 8, true)).outcome, "held") << "another pull request of the same branch";
  EXPECT_EQ(run(next).state, RunState::held);
}

TEST_F(WebhookActions, AClosedLineEndsItsUnfinishedRunsAlone) {
  const EventResult main = did(push(2)), topic = did(push(3, "topic")), fork = did(pull(4, 7, true));
  Event gone = push(0, "topic");
  gone.wish = Wish::close;
  gone.why = "the branch was deleted";
  const EventResult closed = did(gone);
  EXPECT_EQ(closed.outcome, "cancelled");
  EXPECT_THAT(closed.changed, ElementsAre(*topic.run));
  EXPECT_EQ(run(topic).reason, "the branch was deleted");
  EXPECT_EQ(run(main).state, RunState::queued);
  EXPECT_EQ(run(fork).state, RunState::held) << "a fork's branch of the same name is another line";
  EXPECT_EQ(did(gone).outcome, "noted") << "nothing is left to end";
  Event refused = pull(4, 7, true);
  refused.wish = Wish::close;
  EXPECT_THAT(did(refused).changed, ElementsAre(*fork.run));
}

TEST_F(WebhookActions, AFullQueueRefusesThePushAndKeepsTheOlderRun) {
  const EventResult first = did(push(2, "a"));
  const auto refused = done(push(3, "b"), 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::too_many);
  EXPECT_EQ(run(first).state, RunState::queued);
}

TEST_F(WebhookActions, ARerunMeasuresTheRunThatTheCheckNamesIfItIsOfThatCommit) {
  const EventResult first = did(push(2));
  Event click = about(Wish::rerun);
  click.check = {.commit = db::hash_of(2), .run = first.run->value};
  EXPECT_EQ(did(click).detail, "run 1 is at work on it already");
  finish(*first.run, Conclusion::regressed);
  const EventResult again = did(click);
  EXPECT_EQ(again.outcome, "queued");
  EXPECT_EQ(run(again).retry_of, first.run);
  EXPECT_THAT(acts(), ElementsAre("run.retry run 2", "run.trigger run 1"));
  EXPECT_EQ(did(click).run, again.run) << "the retry is at work";
  finish(*again.run, Conclusion::passed);
  EXPECT_EQ(run(did(click)).retry_of, again.run) << "clicked again, the newest of them is measured again";
}

TEST_F(WebhookActions, ACheckOfAnotherCommitOrRepositoryNamesNoRun) {
  const EventResult other = did(push(2));
  Event click = about(Wish::rerun);
  click.check = {.commit = db::hash_of(9), .run = other.run->value};
  EXPECT_EQ(done(click).error().code, Errc::not_found);
  watch("second", "https://github.com/acme/second.git");
  Event elsewhere = about(Wish::rerun, "acme/second");
  elsewhere.check = {.commit = db::hash_of(2), .run = other.run->value};
  EXPECT_EQ(done(elsewhere).error().code, Errc::not_found);
}

TEST_F(WebhookActions, AHeldRunIsNotReleasedByAClick) {
  const EventResult fork = did(pull(2, 7, true));
  Event click = about(Wish::rerun);
  click.check = {.commit = db::hash_of(2), .run = fork.run->value};
  EXPECT_THAT(did(click).detail, HasSubstr("approve it"));
  EXPECT_EQ(run(fork).state, RunState::held);
}

TEST_F(WebhookActions, AcceptingByAClickAcceptsAndMeasuresAgain) {
  const EventResult first = did(push(2));
  Event click = about(Wish::accept);
  click.check = {.commit = db::hash_of(2)};
  EXPECT_EQ(done(click).error().code, Errc::conflict) << "it is not finished";
  ASSERT_TRUE(db::set_epoch(connection, *first.run, epoch(), "r"));
  Comparison slow = comparison("b", Verdict::regressed);
  slow.ratio = 1.1;
  slow.head_median_ns = 110;
  finish(*first.run, Conclusion::regressed, {slow});
  const EventResult accepted = did(click);
  EXPECT_EQ(accepted.detail, "accepted run 1");
  EXPECT_EQ(run(accepted).retry_of, first.run);
  EXPECT_THAT(acts(), ElementsAre("run.retry run 2", "regression.accept run 1", "run.trigger run 1"));
  EXPECT_EQ(db::list_actions(connection).at(1).action.actor, "@ann on GitHub");
}

TEST_F(WebhookActions, InstallationsAreNotedAndLogged) {
  Event made = about(Wish::installation, "");
  made.name = "installation";
  made.action = "created";
  made.installation = {.id = 5, .added = {"acme/hello"}, .removed = {}, .gone = false, .suspended = {}};
  EXPECT_EQ(did(made).detail, "installation 5");
  EXPECT_EQ(db::installation_of(connection, "Acme/Hello"), 5);
  EXPECT_THAT(acts(), ElementsAre("installation.created installation 5"));
}

TEST_F(WebhookActions, WhatIsNoneOfOurBusinessIsKeptWithTheReason) {
  Event event = about(Wish::nothing, "nobody/knows");
  event.why = "a tag";
  EXPECT_EQ(did(event).outcome, "ignored");
  EXPECT_EQ(did(event).detail, "a tag");
  event.wish = Wish::unknown;
  EXPECT_EQ(did(event).outcome, "unknown_event");
  EXPECT_THAT(acts(), IsEmpty());
}

// Who signed (empty: the server's secret), of what an event is, whether "hello" has a secret of its own.
struct Signed {
  const char* name;
  const char* signer;
  Wish wish;
  const char* repository;
  bool has_own, may;
};
const Signed kSigned[] = {
    {"TheServerOfOneWithout", "", Wish::judge, "acme/hello", false, true},
    {"TheServerOfOneWithItsOwn", "", Wish::judge, "acme/hello", true, false},
    {"TheServerOfAnUnknownOne", "", Wish::judge, "nobody/knows", true, true},
    {"TheServerOfAnInstallation", "", Wish::installation, "", true, true},
    {"ARepositoryOfItself", "hello", Wish::close, "acme/hello", true, true},
    {"ARepositoryOfAnother", "hello", Wish::rerun, "acme/second", true, false},
    {"ARepositoryOfAnUnknownOne", "hello", Wish::accept, "nobody/knows", true, false},
    {"ARepositoryOfAnInstallation", "hello", Wish::installation, "", true, false},
    {"ARepositoryOfNothing", "hello", Wish::nothing, "acme/second", true, true},
    {"ARepositoryOfAnUnknownEvent", "hello", Wish::unknown, "acme/second", true, true},
};
class WebhookSigners : public WebhookActions, public testing::WithParamInterface<Signed> {};
INSTANTIATE_TEST_SUITE_P(Webhooks, WebhookSigners, testing::ValuesIn(kSigned),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_P(WebhookSigners, SpeakOfWhatIsTheirs) {
  watch("second", "https://github.com/acme/second.git");
  if (GetParam().has_own) db::set_webhook_secret(connection, hello, "secret", db::at(1));
  const Event event = about(GetParam().wish, GetParam().repository);
  const Status may = check_signer(connection, {.event = event, .now = db::at(2)}, GetParam().signer);
  EXPECT_EQ(may.has_value(), GetParam().may);
  if (!may) {
    EXPECT_EQ(may.error().code, Errc::forbidden);
  }
}

}  // namespace actions_test
}  // namespace kernelgate::service

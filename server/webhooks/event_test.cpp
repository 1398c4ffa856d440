// SPDX-License-Identifier: Apache-2.0
#include "server/webhooks/event.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>

#include "core/units/time.hpp"

namespace kernelgate::webhooks {
namespace event_test {

const std::string kTip = "6113728f27ae82c7b1a177c8d03f9e96e0adf246";
const std::string kHead = "ec26c3e57ca3a959ca5aad62de7213c562f8c821";
const std::string kZeros(40, '0');

std::string read(const std::string& name) {
  std::ifstream in(std::string(KG_GOLDEN_WEBHOOKS) + "/" + name + ".json", std::ios::binary);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

// A real payload in which one text stands in for another.
Event event_of(const std::string& name, const std::string& file, const std::string& from = "$^",
               const std::string& to = {}) {
  const std::string body = std::regex_replace(read(file), std::regex(from), to);
  auto event = parse_event(name, body);
  EXPECT_TRUE(event) << file << ": " << to_string(event.error());
  return event.value_or(Event{});
}

TEST(WebhookEvent, APushIsHeldAgainstTheTipBeforeItOnTheDefaultBranchAlone) {
  const Event event = event_of("push", "push");
  EXPECT_EQ(event.wish, Wish::judge);
  EXPECT_EQ(event.repository, "Codertocat/Hello-World");
  EXPECT_EQ(event.sender, "Codertocat");
  EXPECT_EQ(event.urls.size(), 3U);
  EXPECT_EQ(event.head.commit, kTip);
  EXPECT_EQ(event.head.branch, "master");
  EXPECT_EQ(event.head.subject, "Initial commit");
  EXPECT_EQ(event.head.pushed_at, Instant{std::chrono::seconds(1557933657)});
  const auto base = base_of(event.head, "master");
  EXPECT_EQ(base.kind, wire::BaseKind::before);
  EXPECT_EQ(base.argument, kZeros);  // the branch is new: there is no base
  EXPECT_EQ(base_of(event.head, "main").kind, wire::BaseKind::merge_base);
  EXPECT_EQ(base_of(event.head, "main").argument, "main");
}

TEST(WebhookEvent, ATimeBeyondAnyCalendarIsNone) {
  for (const char* seconds : {"9223372036854775807", "-9223372036854775808", "18446744073709551615", "253402300800"})
    EXPECT_FALSE(event_of("push", "push", "1557933657", seconds).head.pushed_at) << seconds;
}

TEST(WebhookEvent, AForcedPushIsAPushAndADeletedBranchClosesIt) {
  const Event forced =
      event_of("push", "push", "\"before\": \"0+\"", "\"forced\": true, \"before\": \"" + kHead + "\"");
  EXPECT_EQ(forced.wish, Wish::judge);
  EXPECT_EQ(base_of(forced.head, "master").argument, kHead);
  const Event gone = event_of("push", "push_tag_deleted", "refs/tags/simple-tag", "refs/heads/topic");
  EXPECT_EQ(gone.wish, Wish::close);
  EXPECT_EQ(gone.head.branch, "topic");
}

TEST(WebhookEvent, TagsAreNotMeasured) {
  EXPECT_EQ(event_of("push", "push_tag").wish, Wish::nothing);
  EXPECT_EQ(event_of("push", "push_tag_deleted").wish, Wish::nothing);
  EXPECT_EQ(event_of("push", "push_tag").why, "not a branch: refs/tags/simple-tag");
}

TEST(WebhookEvent, APullRequestIsJudgedAgainstItsTarget) {
  for (const char* file :
       {"pull_request_opened", "pull_request_synchronize", "pull_request_reopened", "pull_request_ready_for_review"}) {
    const Event event = event_of("pull_request", file);
    EXPECT_EQ(event.wish, Wish::judge) << file;
    EXPECT_EQ(event.head.commit, kHead);
    EXPECT_EQ(event.head.branch, "changes");
    ASSERT_TRUE(event.head.pull_request);
    EXPECT_EQ(event.head.pull_request->number, 2);
    EXPECT_FALSE(event.head.pull_request->fork);
    EXPECT_EQ(event.head.pull_request->sender, "Codertocat");
    EXPECT_EQ(base_of(event.head, "elsewhere").argument, "master");
  }
  const Event opened = event_of("pull_request", "pull_request_opened");
  ASSERT_TRUE(opened.head.pushed_at);
  EXPECT_EQ(to_iso8601(*opened.head.pushed_at), "2019-05-15T15:20:33.000Z");
}

TEST(WebhookEvent, AForkIsAForkAlsoWhenItIsDeleted) {
  const std::string own =
      "(\"head\": \\{[^{}]*\"user\": \\{[^{}]*\\},\\s*\"repo\": \\{\\s*\"id\": \\d+,\\s*\"name\": "
      "\"Hello-World\",\\s*\"full_name\": )\"Codertocat/Hello-World\"";
  const Event fork = event_of("pull_request", "pull_request_opened", own, "$1\"ada/Hello-World\"");
  ASSERT_TRUE(fork.head.pull_request);
  EXPECT_EQ(fork.head.pull_request->head_repository, "ada/Hello-World");
  EXPECT_TRUE(fork.head.pull_request->fork);
  const auto gone = parse_event("pull_request", R"({"action": "opened", "sender": {"login": "ada"}, "pull_request":
    {"number": 3, "head": {"ref": "x", "sha": ")" + kHead +
                                                    R"(", "repo": null},
     "base": {"ref": "main", "repo": {"full_name": "acme/kernels"}}}})");
  ASSERT_TRUE(gone) << to_string(gone.error());
  EXPECT_TRUE(gone->head.pull_request->fork);
  EXPECT_FALSE(gone->head.pushed_at);
}

TEST(WebhookEvent, DraftsWaitAndClosedOnesEnd) {
  EXPECT_EQ(event_of("pull_request", "pull_request_opened", "\"draft\": false", "\"draft\": true").wish, Wish::nothing);
  EXPECT_EQ(event_of("pull_request", "pull_request_converted_to_draft").wish, Wish::nothing);
  EXPECT_EQ(event_of("pull_request", "pull_request_labeled").wish, Wish::nothing);
  const Event closed = event_of("pull_request", "pull_request_closed");
  EXPECT_EQ(closed.wish, Wish::close);
  EXPECT_EQ(closed.why, "pull request 2 was closed");
  EXPECT_EQ(event_of("pull_request", "pull_request_closed", "\"merged\": false", "\"merged\": true").why,
            "pull request 2 was merged");
  const Event edited = event_of("pull_request", "pull_request_opened", "\"action\": \"opened\"",
                                "\"action\": \"edited\", \"changes\": {\"base\": {}}");
  EXPECT_EQ(edited.wish, Wish::judge);
  EXPECT_EQ(event_of("pull_request", "pull_request_opened", "\"opened\"", "\"edited\"").wish, Wish::nothing);
}

TEST(WebhookEvent, ClicksOnACheckRun) {
  const Event again =
      event_of("check_run", "check_run_rerequested", "\"external_id\": \"\"", "\"external_id\": \"12\"");
  EXPECT_EQ(again.wish, Wish::rerun);
  EXPECT_EQ(again.check.commit, "d6fde92930d4715a2b49857d24b940956b26d2d3");
  EXPECT_EQ(again.check.run, 12);
  EXPECT_EQ(event_of("check_run", "check_run_created").wish, Wish::nothing);
  const std::string theirs = "lgtm\\|26764";
  EXPECT_EQ(event_of("check_run", "check_run_requested_action").wish, Wish::nothing);  // another program's button
  EXPECT_EQ(event_of("check_run", "check_run_requested_action", theirs, "accept").wish, Wish::accept);
  EXPECT_EQ(event_of("check_run", "check_run_requested_action", theirs, "rerun").wish, Wish::rerun);
}

TEST(WebhookEvent, CheckSuitesStandInForPushes) {
  const Event asked = event_of("check_suite", "check_suite_requested");
  EXPECT_EQ(asked.wish, Wish::judge);
  EXPECT_EQ(asked.head.branch, "master");
  EXPECT_EQ(asked.head.before, kTip);
  const std::string branch = "\"head_branch\": \"master\"";
  EXPECT_EQ(event_of("check_suite", "check_suite_requested", branch, "\"head_branch\": null").wish, Wish::nothing);
  const Event again = event_of("check_suite", "check_suite_rerequested");
  EXPECT_EQ(again.wish, Wish::rerun);
  EXPECT_EQ(again.check.run, 0);
}

TEST(WebhookEvent, InstallationsAreNoted) {
  EXPECT_EQ(event_of("installation", "installation_created").installation.added,
            (std::vector<std::string>{"Codertocat/Hello-World"}));
  EXPECT_TRUE(event_of("installation", "installation_deleted").installation.gone);
  EXPECT_EQ(event_of("installation", "installation_suspend").installation.suspended, true);
  EXPECT_EQ(event_of("installation_repositories", "installation_repositories_added").installation.added.size(), 1U);
  const Event removed = event_of("installation_repositories", "installation_repositories_removed");
  EXPECT_EQ(removed.installation.removed, (std::vector<std::string>{"octocat/Hello-World"}));
  EXPECT_EQ(removed.wish, Wish::installation);
}

TEST(WebhookEvent, TheRestIsKnownOrUnknown) {
  EXPECT_EQ(event_of("ping", "ping").wish, Wish::nothing);
  EXPECT_EQ(event_of("star", "star_created").wish, Wish::unknown);
}

TEST(WebhookEvent, WhatCannotBeUsedNamesTheMember) {
  struct Case {
    const char *name, *body, *where;
  };
  for (const Case& each :
       {Case{"push", "{", "body"}, Case{"push", "[]", "body"}, Case{"push", "{}", "/ref"},
        Case{"push", R"({"ref": 7})", "/ref"},
        Case{"push", R"({"ref": "refs/heads/x", "after": "--upload-pack=x"})", "/after"},
        Case{"pull_request", R"({"action": "opened"})", "/pull_request/number"},
        Case{"pull_request", R"({"action": "opened", "pull_request": {"number": -1}})", "/pull_request/number"},
        Case{"check_run", R"({"action": "rerequested", "check_run": null})", "/check_run/head_sha"},
        Case{"installation", R"({"action": "created"})", "/installation/id"}}) {
    const auto event = parse_event(each.name, each.body);
    ASSERT_FALSE(event) << each.body;
    EXPECT_EQ(event.error().code, Errc::invalid);
    EXPECT_EQ(event.error().where, each.where) << each.body;
  }
}

}  // namespace event_test
}  // namespace kernelgate::webhooks

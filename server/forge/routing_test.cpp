// SPDX-License-Identifier: Apache-2.0
#include "server/forge/routing.hpp"

#include <gmock/gmock.h>

namespace kernelgate::forge {
namespace routing_test {

using testing::ElementsAre;
using testing::IsEmpty;

Config config_of(bool app, bool gitlab = false) {
  Config out;
  out.github.emplace();
  out.github->app_id = app ? 1 : 0;
  if (gitlab) out.gitlab.emplace();
  return out;
}

wire::Run run_in(const std::string& state, bool pull_request = true) {
  wire::Run run;
  run.id = 7;
  run.commit = "abc";
  run.source = "webhook";
  run.state = *parse_run_state(state);
  if (pull_request) run.pull_request.emplace().number = 3;
  return run;
}

std::vector<std::string> lanes(const Config& config, const wire::Run& run, const Names& names) {
  std::vector<std::string> out;
  for (const db::NewMessage& message : messages_for(config, run, names))
    out.push_back(message.phase + " " + message.key);
  return out;
}

TEST(NamesOf, FollowTheHostOfTheUrl) {
  Config config = config_of(false, true);
  config.github->api_url = "https://git.example/api/v3";
  EXPECT_EQ(names_of(config, "git@git.example:o/r.git", "o/r").github, "o/r");
  EXPECT_EQ(names_of(config, "https://gitlab.com/g/s/p", "g/s/p").gitlab, "g/s/p");
  EXPECT_EQ(names_of(config, "https://github.com/o/r", "o/r").github, "");
  EXPECT_EQ(names_of(config, "/srv/mirror.git", "o/r").github, "o/r");
  config.github.reset();
  EXPECT_EQ(names_of(config, "/srv/mirror.git", "o/r").gitlab, "o/r");
  EXPECT_EQ(names_of(config_of(false), "https://github.com/o/r", "o/r").github, "o/r");
}

TEST(MessagesFor, APullRequestOfAnApp) {
  const Names names{.github = "o/r", .gitlab = {}};
  EXPECT_THAT(lanes(config_of(true), run_in("held"), names),
              ElementsAre("held github-status o/r abc kernelgate", "held github-check 7",
                          "held github-comment o/r 3 kernelgate"));
  EXPECT_THAT(lanes(config_of(true), run_in("measuring"), names),
              ElementsAre("measuring github-status o/r abc kernelgate", "measuring github-check 7"));
}

TEST(MessagesFor, ACommitWithAToken) {
  EXPECT_THAT(lanes(config_of(false), run_in("claimed", false), {.github = "o/r", .gitlab = {}}),
              ElementsAre("building github-status o/r abc kernelgate"));
  EXPECT_THAT(lanes(config_of(false, true), run_in("done", false), {.github = {}, .gitlab = "g/p"}),
              ElementsAre("finished gitlab-status g/p abc kernelgate"));
}

TEST(MessagesFor, OthersHearOfTheConclusionsTheyAskedFor) {
  Config config;
  config.webhooks.push_back({.name = "ci", .url = {}, .secret = {}, .conclusions = {Conclusion::passed}});
  config.chats.push_back({.name = "room", .url = {}, .conclusions = {Conclusion::cancelled}});
  wire::Run run = run_in("done");
  run.conclusion = Conclusion::passed;
  EXPECT_THAT(lanes(config, run, {}), ElementsAre("finished webhook:ci 7"));
  EXPECT_THAT(lanes(config, run_in("cancelled"), {}), ElementsAre("finished chat:room 7"));
  EXPECT_THAT(lanes(config, run_in("deciding"), {}), IsEmpty());
}

TEST(MessagesFor, RunsThatJudgeNoCommitAreSilent) {
  wire::Run run = run_in("done");
  for (const char* source : {"remeasure", "bisect", "backfill"}) {
    run.source = source;
    EXPECT_THAT(lanes(config_of(true), run, {.github = "o/r", .gitlab = {}}), IsEmpty()) << source;
  }
}

TEST(EndpointOf, TargetsOfOneForgeWaitTogether) {
  EXPECT_EQ(endpoint_of("github-comment"), "github");
  EXPECT_EQ(endpoint_of("webhook:my-ci"), "webhook:my-ci");
}

}  // namespace routing_test
}  // namespace kernelgate::forge

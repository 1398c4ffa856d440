// SPDX-License-Identifier: Apache-2.0
// Cancel and retry in each state of a run.
#include "core/units/limits.hpp"
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_states_test {

using Json = nlohmann::json;

class ApiStates : public ApiFixture {
 protected:
  // A run of its own commit, brought into the state.
  std::string run_in(const std::string& state, char commit) {
    const std::string path = "/api/v1/runs/" + std::to_string(trigger(commit));
    if (state == "queued") return path;
    Json claimed = claim();
    if (state == "done") {
      EXPECT_EQ(resolve(claimed, commit).status, 200);
      EXPECT_EQ(finish(claimed, evidence("disk full")).status, 200);
    } else if (state == "cancelled") {
      EXPECT_EQ(ask("trigger", "POST", path + "/cancel").status, 200);
    } else if (state == "aborted") {
      lose_lease();
      for (int i = 1; i < limits::kClaimAttemptsMax; ++i) {
        claimed = claim();
        lose_lease();
      }
    } else {
      EXPECT_EQ(post("runner", "/api/v1/runner/runs/" + claimed["run"].dump() + "/heartbeat",
                     {{"lease", claimed["lease"]}, {"state", state}})
                    .status,
                200);
    }
    EXPECT_EQ(get(path).body["state"], state);
    return path;
  }
  void lose_lease() {
    clock_.ms += Millis(limits::kLeaseDuration).count() + 1;
    ASSERT_TRUE(service_->expire_leases());
  }
};

TEST_F(ApiStates, AnUnfinishedRunIsCancelledAndNotRetried) {
  add_repository();
  char commit = '1';
  for (const char* state : {"queued", "claimed", "building", "checking", "measuring", "deciding"}) {
    const std::string path = run_in(state, commit++);
    const Reply retried = ask("trigger", "POST", path + "/retry");
    EXPECT_EQ(retried.status, 409) << state;
    EXPECT_EQ(retried.body["code"], "conflict") << state;
    EXPECT_EQ(get(path).body["state"], state);
    const Reply cancelled = ask("trigger", "POST", path + "/cancel");
    EXPECT_EQ(cancelled.status, 200) << state;
    EXPECT_EQ(cancelled.body["state"], "cancelled") << state;
    EXPECT_EQ(cancelled.body["conclusion"], "") << state;
    EXPECT_EQ(cancelled.body["commit_status"], "error") << state;
  }
}

TEST_F(ApiStates, AForksRunIsHeldAndNeverClaimed) {
  add_repository();
  const Json pull_request = {
      {"number", 7}, {"target", "main"}, {"head_repository", "ada/kernels"}, {"fork", true}, {"sender", "ada"}};
  const Reply triggered =
      post("trigger", "/api/v1/triggers",
           {{"repository", "kernels"}, {"commit", std::string(40, 'f')}, {"pull_request", pull_request}});
  EXPECT_EQ(triggered.status, 202);
  EXPECT_EQ(triggered.body["state"], "held");
  const std::string path = "/api/v1/runs/" + triggered.body["run"].dump();
  EXPECT_EQ(get(path).body["pull_request"], pull_request);
  EXPECT_EQ(get(path).body["commit_status"], "pending");
  EXPECT_EQ(get("/api/v1/runs?state=held&pull_request=7").body["runs"].size(), 1U);
  EXPECT_EQ(get("/api/v1/runs?pull_request=8").body["runs"].size(), 0U);
  EXPECT_EQ(post("runner", "/api/v1/runner/claim",
                 {{"runner", "r"}, {"testbed", {{"name", "bed"}}}, {"has_gpu", true}, {"wait_s", 0}})
                .status,
            204);
  EXPECT_EQ(ask("trigger", "POST", path + "/cancel").body["state"], "cancelled");
}

TEST_F(ApiStates, AFinishedRunIsRetriedOnceAndNeverCancelled) {
  add_repository();
  char commit = '1';
  for (const char* state : {"done", "aborted", "cancelled"}) {
    const std::string path = run_in(state, commit++);
    const Json before = get(path).body;
    EXPECT_EQ(ask("trigger", "POST", path + "/cancel").status, 409) << state;
    const Reply retried = ask("trigger", "POST", path + "/retry");
    EXPECT_EQ(retried.status, 202) << state;
    EXPECT_EQ(retried.body["retry_of"], before["id"]) << state;
    EXPECT_EQ(retried.body["state"], "queued") << state;
    EXPECT_EQ(retried.body["commit"], before["commit"]) << state;
    EXPECT_EQ(ask("trigger", "POST", path + "/retry").body["id"], retried.body["id"]) << state;
    EXPECT_EQ(get(path).body, before) << state;
    EXPECT_EQ(ask("trigger", "POST", "/api/v1/runs/" + retried.body["id"].dump() + "/cancel").status, 200);
  }
}

}  // namespace api_states_test
}  // namespace kernelgate::api

// SPDX-License-Identifier: Apache-2.0
// Profiles that people ask for, over HTTP: who may ask for which, which runner gets them, and what becomes of them.
#include <future>

#include "core/decision/evidence/verdict.hpp"
#include "core/units/limits.hpp"
#include "db/accounts/audit.hpp"
#include "db/runs/profiles.hpp"
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_profiles_test {

using Json = nlohmann::json;

class ApiProfiles : public ApiFixture {
 protected:
  void SetUp() override {
    ApiFixture::SetUp();
    add_repository();
  }

  // A finished run of one benchmark, against a base unless told else.
  std::int64_t finished(char commit, const std::string& base = std::string(40, '9')) {
    trigger(commit);
    const Json claimed = claim();
    testbed_ = "lab";
    const RunId id{claimed["run"].get<std::int64_t>()};
    Comparison one;
    one.suite = "gemm";
    one.benchmark = "gemm/64";
    one.verdict = Verdict::unchanged;
    db::ResolvedRun resolved;
    resolved.base_commit = base;
    db::FinishedRun done;
    done.decision.conclusion = Conclusion::passed;
    done.decision.comparisons = {one};
    const auto kept = database_->write([&](db::Connection& connection) -> Status {
      if (const Status set = db::set_resolved(connection, id, resolved); !set) return set;
      const auto run = db::get_run(connection, id);
      testbed_ = run->testbed;
      return db::finish_run(connection, id, done, clock_.now());
    });
    EXPECT_TRUE(kept) << to_string(kept.error());
    return id.value;
  }
  static std::string of(std::int64_t run) { return "/api/v1/runs/" + std::to_string(run) + "/profiles"; }
  Reply ask_for(std::int64_t run, const std::string& benchmark = "gemm/64", const std::string& role = "trigger") {
    return post(role, of(run), {{"suite", "gemm"}, {"benchmark", benchmark}});
  }
  static Json runner_of(const std::string& testbed, int wait_s) {
    Json request{{"runner", "r1"}, {"has_gpu", false}, {"wait_s", wait_s}};
    for (const char* fact : {"gpu_model", "compute_capability", "driver", "toolkit", "power_limit", "mig_mode"})
      request["testbed"][fact] = "";
    request["testbed"]["host_cpu"] = "cpu";
    request["testbed"]["name"] = testbed;
    return request;
  }
  Reply take(const std::string& testbed, const std::string& role = "runner") {
    return post(role, "/api/v1/runner/profiles/claim", runner_of(testbed, 0));
  }
  static Json kernel(double rate) { return {{"kernel", "gemm"}, {"counters", {{"lts__t_sector_hit_rate.pct", rate}}}}; }
  Reply end(const Json& claimed, Json body, const std::string& role = "runner") {
    body["lease"] = claimed["lease"];
    return post(role, "/api/v1/runner/profiles/" + std::to_string(claimed["profile"].get<int>()) + "/end", body);
  }
  std::vector<db::LoggedAction> actions(const std::string& action) {
    return *database_->read([&](db::Connection& connection) {
      return Result<std::vector<db::LoggedAction>>(db::list_actions(connection, {}, {.action = action}));
    });
  }
  Json newest(std::int64_t run) { return get(of(run)).body["profiles"].at(0); }

  std::string testbed_;
};

TEST_F(ApiProfiles, ARunnerOfTheTestbedMakesOneAndThePageShowsIt) {
  const auto run = finished('a');
  EXPECT_EQ(get(of(run)).body["profiles"].size(), 0U);
  const Reply asked = ask_for(run);
  ASSERT_EQ(asked.status, 202) << asked.body;
  EXPECT_EQ(asked.body["text"], "Waits for a runner of " + testbed_ + ".");
  EXPECT_EQ(take("elsewhere").status, 204);
  const Reply claimed = take(testbed_);
  ASSERT_EQ(claimed.status, 200) << claimed.body;
  EXPECT_EQ(claimed.body["head"], std::string(40, 'a'));
  EXPECT_EQ(claimed.body["base"], std::string(40, '9'));
  EXPECT_EQ(take(testbed_).status, 204);
  EXPECT_EQ(newest(run)["state"], "claimed");
  const Json kernels{{"base", kernel(91.2)}, {"head", kernel(40.1)}};
  EXPECT_EQ(end(claimed.body, kernels, "runner2").status, 409);
  EXPECT_EQ(end(claimed.body, kernels).status, 204);
  EXPECT_EQ(end(claimed.body, kernels).status, 409);
  const Json shown = newest(run);
  EXPECT_EQ(shown["state"], "done");
  EXPECT_EQ(shown["changes"], Json::array({"L2 hit rate 91.2 % -> 40.1 %"}));
  EXPECT_EQ(shown["head"], kernel(40.1));
  const auto logged = actions("profile");
  ASSERT_EQ(logged.size(), 3U);
  EXPECT_EQ(logged[2].action.actor, "trigger");
  EXPECT_EQ(logged[1].action.action, "profile.claim");
  EXPECT_EQ(logged[0].action.action, "profile.end");
}

TEST_F(ApiProfiles, AWaitingRunnerIsSentForOneAndElseWaitsOn) {
  const auto run = finished('a');
  auto waiting = std::async(std::launch::async, [&] {
    return post("runner", "/api/v1/runner/claim?profiles=1", runner_of(testbed_, 20)).status;
  });
  EXPECT_EQ(waiting.wait_for(std::chrono::milliseconds(200)), std::future_status::timeout) << "nothing waits";
  ASSERT_EQ(ask_for(run).status, 202);
  EXPECT_EQ(waiting.get(), 204);
  EXPECT_EQ(post("runner", "/api/v1/runner/claim?profiles=1", runner_of("elsewhere", 0)).status, 204);
  trigger('b');
  EXPECT_EQ(post("runner", "/api/v1/runner/claim?profiles=1", runner_of(testbed_, 20)).status, 200);
}

TEST_F(ApiProfiles, WhyThereIsNoneIsKept) {
  const auto run = finished('a');
  ASSERT_EQ(ask_for(run).status, 202);
  const Reply claimed = take(testbed_);
  EXPECT_EQ(end(claimed.body, {{"text", "there is no Nsight Compute (ncu) on this machine"}}).status, 204);
  EXPECT_EQ(newest(run)["state"], "failed");
  EXPECT_EQ(newest(run)["text"], "there is no Nsight Compute (ncu) on this machine");
  EXPECT_EQ(ask_for(run).status, 202) << "another may be asked for";
}

TEST_F(ApiProfiles, WhatCanNotBeProfiledIsRefused) {
  const auto run = finished('a');
  EXPECT_EQ(ask_for(run, "gemm/64", "read").status, 403);
  EXPECT_EQ(ask_for(run, "gemm/none").status, 404);
  EXPECT_EQ(ask_for(77).status, 404);
  EXPECT_EQ(get(of(77)).status, 404);
  EXPECT_EQ(ask_for(run).status, 202);
  EXPECT_EQ(ask_for(run).status, 409) << "it waits already";
  EXPECT_EQ(ask_for(finished('b', "")).status, 409) << "no base";
  EXPECT_EQ(ask_for(trigger('c')).status, 409) << "not finished";
}

TEST_F(ApiProfiles, ARunnerThatStopsGivesItBackAndOneThatIsLostLosesIt) {
  const auto run = finished('a');
  ASSERT_EQ(ask_for(run).status, 202);
  EXPECT_EQ(end(take(testbed_).body, {{"again", true}}).status, 204);
  EXPECT_EQ(newest(run)["state"], "queued");
  for (int i = 0; i < limits::kProfileClaimsMax; ++i) {
    EXPECT_EQ(take(testbed_).status, 200);
    clock_.ms += std::chrono::milliseconds(limits::kProfileLease).count();
  }
  EXPECT_EQ(take(testbed_).status, 204);
  EXPECT_EQ(newest(run)["state"], "failed");
  EXPECT_EQ(newest(run)["text"], "The runner was lost 3 times while it profiled this.");
  const auto ends = actions("profile.end");
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].action.actor, "server");
  EXPECT_EQ(ends[0].action.detail, newest(run)["text"]);
}

}  // namespace api_profiles_test
}  // namespace kernelgate::api

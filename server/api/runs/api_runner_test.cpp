// SPDX-License-Identifier: Apache-2.0
// A runner's day: claim, report, finish; lost leases; verdicts that are stored already.
#include <future>
#include <vector>

#include "core/units/limits.hpp"
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_runner_test {

using Json = nlohmann::json;

class ApiRunner : public ApiFixture {
 protected:
  Reply report(const Json& claim, const std::string& what, Json body, const std::string& token = "runner") {
    body["lease"] = claim["lease"];
    return post(token, "/api/v1/runner/runs/" + claim["run"].dump() + "/" + what, body);
  }
  static Json process(const std::string& id) {
    return {
        {"id", id},   {"suite", "gemm"}, {"side", "head"},
        {"round", 0}, {"pair", 0},       {"attempt", 0},
        {"order", 0}, {"end", "ok"},     {"series", {{{"benchmark", "gemm/64"}, {"samples_ns", {10.5, 11.0, 10.0}}}}}};
  }
  Json state_of(const Json& claim) { return get("/api/v1/runs/" + claim["run"].dump()).body; }
  void lose_lease() {
    clock_.ms += Millis(limits::kLeaseDuration).count() + 1;
    ASSERT_TRUE(service_->expire_leases());
  }
};

TEST_F(ApiRunner, AFirstPushGoesFromTriggerToVerdict) {
  add_repository();
  trigger('a');
  const Json claimed = claim();
  EXPECT_EQ(claimed["repository"], "kernels");
  EXPECT_EQ(claimed["commit"], std::string(40, 'a'));
  EXPECT_EQ(report(claimed, "heartbeat", {{"state", "building"}, {"progress", "head"}}).body["cancel"], false);
  EXPECT_EQ(state_of(claimed)["state"], "building");
  EXPECT_TRUE(resolve(claimed, '1').body["reused_from"].is_null());
  const Json upload = {{"processes", {process("p1")}}};
  EXPECT_EQ(report(claimed, "processes", upload).body["stored"], 1);
  EXPECT_EQ(report(claimed, "processes", upload).body["stored"], 0);
  EXPECT_EQ(report(claimed, "logs", {{"name", "build-head"}, {"text", "built"}}).status, 204);
  const Reply finished = finish(claimed, first_push());
  ASSERT_EQ(finished.status, 200) << finished.body;
  EXPECT_EQ(finished.body["decision"]["conclusion"], "passed");
  EXPECT_EQ(finish(claimed, first_push()).body, finished.body);
  const Json run = state_of(claimed);
  EXPECT_EQ(run["state"], "done");
  EXPECT_EQ(run["exit_code"], 0);
  ASSERT_EQ(run["comparisons"].size(), 1U);
  EXPECT_EQ(run["comparisons"][0]["verdict"], "added");
  const std::string path = "/api/v1/runs/" + claimed["run"].dump();
  EXPECT_EQ(get(path + "/comparisons").body["comparisons"].size(), 1U);
  EXPECT_EQ(get(path + "/checks").body["checks"].size(), 0U);
  const Json stored = get(path + "/processes").body["processes"];
  ASSERT_EQ(stored.size(), 1U);
  EXPECT_EQ(stored[0]["process"]["series"][0]["samples_ns"], Json({10.5, 11.0, 10.0}));
  EXPECT_EQ(get(path + "/logs").body["logs"][0]["name"], "build-head");
  EXPECT_EQ(get(path + "/logs/build-head").body, "built");
  EXPECT_EQ(get("/api/v1/benchmarks?repository=kernels").body["benchmarks"].size(), 1U);
  const std::string series = "/api/v1/series?repository=kernels&suite=gemm&benchmark=gemm%2F64";
  EXPECT_EQ(get(series).body["points"].size(), 1U);
}

TEST_F(ApiRunner, AFinishedRunNeverChanges) {
  add_repository();
  trigger('a');
  const Json claimed = claim();
  ASSERT_EQ(resolve(claimed, '1').status, 200);
  ASSERT_EQ(finish(claimed, evidence("disk full")).status, 200);
  const Json before = state_of(claimed);
  EXPECT_EQ(before["conclusion"], "infrastructure");
  EXPECT_EQ(report(claimed, "heartbeat", {{"state", "building"}}).status, 409);
  EXPECT_EQ(report(claimed, "processes", {{"processes", {process("p")}}}).status, 409);
  EXPECT_EQ(report(claimed, "logs", {{"name", "x"}, {"text", ""}}).status, 409);
  EXPECT_EQ(report(claimed, "release", {{"reason", "x"}}).status, 409);
  EXPECT_EQ(ask("trigger", "POST", "/api/v1/runs/1/cancel").status, 409);
  EXPECT_EQ(state_of(claimed), before);
}

TEST_F(ApiRunner, ALeaseBelongsToItsTokenAndItsSecret) {
  add_repository();
  trigger('a');
  Json claimed = claim();
  const Json beat = {{"state", "building"}};
  EXPECT_EQ(report(claimed, "heartbeat", beat, "runner2").status, 409);
  EXPECT_EQ(report(claimed, "heartbeat", beat).status, 200);
  claimed["lease"] = std::string(64, '0');
  EXPECT_EQ(report(claimed, "heartbeat", beat).status, 409);
  claimed["run"] = 999;
  EXPECT_EQ(report(claimed, "heartbeat", beat).status, 404);
}

TEST_F(ApiRunner, ALostLeaseReturnsTheJobAndTheNewGenerationCounts) {
  add_repository();
  trigger('a');
  const Json first = claim();
  ASSERT_EQ(report(first, "processes", {{"processes", {process("old")}}}).status, 200);
  lose_lease();
  EXPECT_EQ(report(first, "heartbeat", {{"state", "building"}}).status, 409);
  const Json second = claim();
  EXPECT_EQ(second["run"], first["run"]);
  EXPECT_NE(second["lease"], first["lease"]);
  EXPECT_EQ(second["process_ids"], Json({"old"}));
  EXPECT_EQ(report(first, "processes", {{"processes", {process("late")}}}).status, 409);
  ASSERT_EQ(resolve(second, '1').status, 200);
  ASSERT_EQ(report(second, "processes", {{"processes", {process("new")}}}).status, 200);
  ASSERT_EQ(finish(second, first_push()).status, 200);
  EXPECT_EQ(get("/api/v1/runs/1/processes").body["processes"].size(), 1U);
  EXPECT_EQ(get("/api/v1/runs/1/processes?superseded=true").body["processes"].size(), 2U);
}

TEST_F(ApiRunner, AJobThatKillsItsRunnersEndsAsInfrastructure) {
  add_repository();
  trigger('a');
  Json claimed;
  for (int i = 0; i < limits::kClaimAttemptsMax; ++i) {
    claimed = claim();
    lose_lease();
  }
  const Json run = state_of(claimed);
  EXPECT_EQ(run["state"], "aborted");
  EXPECT_EQ(run["conclusion"], "infrastructure");
  const Reply none =
      post("runner", "/api/v1/runner/claim", {{"runner", "r"}, {"testbed", {{"name", "bench"}}}, {"wait_s", 0}});
  EXPECT_EQ(none.status, 204);
}

TEST_F(ApiRunner, AReleasedJobIsClaimedAgainByWhoeverWaits) {
  add_repository();
  trigger('a');
  const Json first = claim();
  auto waiting = std::async(std::launch::async, [&] { return claim(); });
  while (server_->counters().parked == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(report(first, "release", {{"reason", "stopping"}}).status, 204);
  EXPECT_EQ(waiting.get()["run"], first["run"]);
}

TEST_F(ApiRunner, ACancelledRunTellsItsRunnerToStop) {
  add_repository();
  trigger('a');
  const Json claimed = claim();
  ASSERT_EQ(ask("trigger", "POST", "/api/v1/runs/1/cancel").status, 200);
  EXPECT_EQ(report(claimed, "heartbeat", {{"state", "building"}}).body["cancel"], true);
  EXPECT_EQ(finish(claimed, evidence("x")).status, 409);
}

TEST_F(ApiRunner, AJudgedRunIsReusedWhenResolvedAndWhenTriggered) {
  add_repository();
  trigger('a');
  const Json first = claim();
  ASSERT_EQ(resolve(first, '1').status, 200);
  ASSERT_EQ(report(first, "processes", {{"processes", {process("p")}}}).status, 200);
  ASSERT_EQ(finish(first, first_push()).body["decision"]["conclusion"], "passed");
  trigger('b');
  const Json second = claim();
  EXPECT_EQ(resolve(second, '1').body["reused_from"], first["run"]);
  EXPECT_EQ(resolve(second, '1').body["reused_from"], first["run"]);  // its answer was lost
  EXPECT_EQ(state_of(second)["conclusion"], "passed");
  EXPECT_EQ(state_of(second)["comparisons"].size(), 1U);
  auto body = trigger_body('c');
  body["trees"] = {
      {"base_commit", ""}, {"base_tree", ""}, {"head_tree", std::string(40, '1')}, {"manifest_sha256", ""}};
  const Reply at_once = post("trigger", "/api/v1/triggers", body);
  EXPECT_EQ(at_once.status, 200);
  EXPECT_EQ(at_once.body["reused_from"], first["run"]);
  EXPECT_EQ(at_once.body["state"], "done");
  body["force"] = true;
  EXPECT_EQ(post("trigger", "/api/v1/triggers", body).status, 202);
}

TEST_F(ApiRunner, InfrastructureIsNeverReused) {
  add_repository();
  trigger('a');
  const Json first = claim();
  ASSERT_EQ(resolve(first, '1').status, 200);
  ASSERT_EQ(finish(first, evidence("disk full")).status, 200);
  trigger('b');
  EXPECT_TRUE(resolve(claim(), '1').body["reused_from"].is_null());
  const Reply again = post("trigger", "/api/v1/triggers", trigger_body('a'));
  EXPECT_EQ(again.status, 202);
}

TEST_F(ApiRunner, BadReportsAreRefused) {
  add_repository();
  trigger('a');
  const Json claimed = claim();
  EXPECT_EQ(report(claimed, "heartbeat", {{"state", "done"}}).status, 400);
  EXPECT_EQ(report(claimed, "logs", {{"name", "../x"}, {"text", ""}}).status, 400);
  EXPECT_EQ(report(claimed, "resolved", {{"head_tree", "HEAD"}}).status, 400);
  ASSERT_EQ(report(claimed, "processes", {{"processes", {process("p")}}}).status, 200);
  EXPECT_EQ(finish(claimed, Json::parse(evidence().dump())).status, 400);  // its suite is not named
}

TEST_F(ApiRunner, APassedRunMayBecomeABaseline) {
  add_repository();
  trigger('a');
  const Json claimed = claim();
  ASSERT_EQ(resolve(claimed, '1').status, 200);
  Json body = {{"repository", "kernels"}, {"run", 1}, {"name", "main"}, {"reason", "release"}};
  EXPECT_EQ(post("admin", "/api/v1/baselines", body).status, 409);
  ASSERT_EQ(report(claimed, "processes", {{"processes", {process("p")}}}).status, 200);
  ASSERT_EQ(finish(claimed, first_push()).status, 200);
  const Reply made = post("admin", "/api/v1/baselines", body);
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.body["benchmarks"].size(), 1U);
  EXPECT_EQ(get("/api/v1/baselines?repository=kernels").body["baselines"].size(), 1U);
  EXPECT_EQ(get("/api/v1/baselines/1").body["baseline"]["reason"], "release");
  body["run"] = 99;
  EXPECT_EQ(post("admin", "/api/v1/baselines", body).status, 404);
}

// Every reader of the store and every thread that reads is busy, for as long as it takes.
TEST_F(ApiRunner, ARunnerWaitsForNoReader) {
  stop();
  start(Settings{}, {.readers = 1, .reserved_readers = 1});
  add_repository();
  trigger('a');
  std::promise<void> release;
  auto slow = database_->submit_read([&](db::Connection&) {
    release.get_future().wait();
    return 1;
  });
  std::vector<std::future<Reply>> readers;
  for (int i = 0; i < 12; ++i)
    readers.push_back(std::async(std::launch::async, [this] { return get("/api/v1/runs"); }));
  const Json claimed = claim();
  EXPECT_EQ(report(claimed, "heartbeat", {{"state", "building"}, {"progress", "head"}}).body["cancel"], false);
  EXPECT_EQ(slow.wait_for(std::chrono::seconds(0)), std::future_status::timeout) << "the reader is still busy";
  release.set_value();
  for (auto& reader : readers) EXPECT_EQ(reader.get().status, 200);
}

}  // namespace api_runner_test
}  // namespace kernelgate::api

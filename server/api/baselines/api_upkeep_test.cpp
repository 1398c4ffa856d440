// SPDX-License-Identifier: Apache-2.0
// Differences, baselines as a file, thinning: the actions and their refusals over HTTP.
#include "core/wire/codec.hpp"
#include "db/baselines/baselines.hpp"
#include "db/baselines/sessions.hpp"
#include "db/repositories/repositories.hpp"
#include "db/repositories/testbeds.hpp"
#include "db/runs/processes.hpp"
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_upkeep_test {

using Json = nlohmann::json;

class ApiUpkeep : public ApiFixture {
 protected:
  void SetUp() override {
    ApiFixture::SetUp();
    add_repository();
  }
  // A run that timed benchmark b of the commit, ended days ago.
  void measured(char commit, double ns, const std::string& key, bool session) {
    const auto done = database_->write([&](db::Connection& connection) -> Status {
      const auto repository = db::get_repository(connection, "kernels");
      db::NewRun wanted{.repository = repository->id, .commit = std::string(40, commit)};
      if (session) wanted.base = {.kind = wire::BaseKind::none, .argument = "2"};
      wanted.source = session ? std::string(db::kSessionSource) : "cli";
      wanted.idempotency_key = key;
      wanted.queued = false;
      const auto run = db::add_run(connection, wanted, clock_.now());
      wire::TestbedFacts bed;
      bed.name = "bed";
      const Status set = db::set_epoch(connection, run->id, db::enter_epoch(connection, bed, clock_.now()), "local");
      if (!set) return set;
      for (int pair = 0; pair < 2; ++pair) {
        Process one;
        one.id = key + std::to_string(pair);
        one.suite = "s";
        one.side = Side::head;
        one.pair = pair;
        one.state_json = "{}";
        one.series.push_back({.benchmark = "b", .samples_ns = std::vector<double>(9, ns), .error = {}, .counters = {}});
        if (const auto put = db::put_process(connection, run->id, one, clock_.now()); !put) return pass_on(put);
      }
      db::FinishedRun finished;
      finished.decision.conclusion = Conclusion::passed;
      Comparison& added = finished.decision.comparisons.emplace_back();
      added.suite = "s";
      added.benchmark = "b";
      added.verdict = Verdict::added;
      return db::finish_run(connection, run->id, finished, clock_.now());
    });
    ASSERT_TRUE(done) << to_string(done.error());
  }
};

TEST_F(ApiUpkeep, ADifferenceNamesItsBasis) {
  measured('a', 100, "one", false);
  measured('b', 110, "two", false);
  const std::string target = "/api/v1/baselines/diff?repository=kernels&a=aaaaaaa&b=";
  const Reply found = get(target + std::string(40, 'b'));
  ASSERT_EQ(found.status, 200) << found.body;
  EXPECT_EQ(found.body["rows"][0]["basis"], "sessions");
  EXPECT_NEAR(found.body["rows"][0]["ratio"].get<double>(), 1.1, 1e-9);
  EXPECT_TRUE(found.body["rows"][0]["ratio_low"].is_null());
  EXPECT_EQ(get(target + "aaaaaaa").status, 400);
  EXPECT_EQ(get(target + "ccccccc").status, 404);
  EXPECT_EQ(get(target).status, 400);
  EXPECT_EQ(get("/api/v1/baselines/diff?repository=kernels&b=aaaaaaa").body["where"], "query parameter a");
}

TEST_F(ApiUpkeep, BaselinesLeaveAndComeBack) {
  const std::string out = "/api/v1/baselines/export?repository=kernels", in = "/api/v1/baselines/import?repository=";
  EXPECT_EQ(get(out).status, 404);
  measured('a', 100, "one", false);
  const Json promotion{{"repository", "kernels"}, {"run", 1}, {"name", "v1"}, {"reason", "out"}};
  ASSERT_EQ(post("admin", "/api/v1/baselines", promotion).status, 201);
  const Reply file = get(out);
  ASSERT_EQ(file.status, 200);
  EXPECT_EQ(ask("admin", "POST", in + "kernels", file.body).body["known"], 1);
  add_repository("other");
  EXPECT_EQ(ask("admin", "POST", in + "other", file.body).status, 409);  // its processes are the other repository's
  EXPECT_EQ(ask("trigger", "POST", in + "kernels", file.body).status, 403);
  EXPECT_EQ(ask("admin", "POST", in + "none", file.body).status, 404);
  const Reply wrong = ask("admin", "POST", in + "kernels", file.body.get<std::string>() + "{}\n");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(wrong.body["where"], "line 3");
}

TEST_F(ApiUpkeep, ThinningSaysWhatCameBackAndTheRunSaysThatItWasThinned) {
  measured('a', 100, "one", false);
  clock_.ms += Millis(std::chrono::hours(24 * 91)).count();
  const Reply dry = post("admin", "/api/v1/prune", {{"older_than_days", 90}, {"dry_run", true}});
  ASSERT_EQ(dry.status, 200) << dry.body;
  EXPECT_EQ(dry.body["bytes"], 2 * 4 * 8);
  EXPECT_TRUE(get("/api/v1/runs/1").body["thinned_at"].is_null());
  EXPECT_EQ(post("admin", "/api/v1/prune", {{"older_than_days", 100}}).body["runs"], 0);
  EXPECT_EQ(post("admin", "/api/v1/prune", {{"older_than_days", 90}}).body["runs"], 1);
  EXPECT_TRUE(get("/api/v1/runs/1").body["thinned_at"].is_string());
  EXPECT_EQ(get("/api/v1/runs/1/processes").body["processes"][0]["process"]["series"][0]["samples_ns"].size(), 5U);
  EXPECT_EQ(post("trigger", "/api/v1/prune", {{"older_than_days", 90}}).status, 403);
  EXPECT_EQ(post("admin", "/api/v1/prune", {{"older_than_days", 0}}).status, 400);
  EXPECT_EQ(ask("admin", "GET", "/api/v1/audit?action=store.thin").body["actions"].size(), 1U);
}

TEST_F(ApiUpkeep, AServerThatKeepsSamplesForSoLongThinsByItself) {
  stop();
  Settings settings;
  settings.keep_samples_days = 90;
  start(settings);
  add_repository();
  measured('a', 100, "one", false);
  ASSERT_TRUE(service_->thin_old_runs());
  EXPECT_TRUE(get("/api/v1/runs/1").body["thinned_at"].is_null());
  clock_.ms += Millis(std::chrono::hours(24 * 91)).count();
  ASSERT_TRUE(service_->thin_old_runs());
  EXPECT_TRUE(get("/api/v1/runs/1").body["thinned_at"].is_string());
}

}  // namespace api_upkeep_test
}  // namespace kernelgate::api

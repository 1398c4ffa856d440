// SPDX-License-Identifier: Apache-2.0
// A run against a stored baseline: the sessions that its claim carried judge it, whatever the runner says of them.
#include <cmath>

#include "core/units/digest.hpp"
#include "core/wire/codec.hpp"
#include "db/baselines/baselines.hpp"
#include "db/runs/processes.hpp"
#include "service/baselines/sessions.hpp"
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_stored_test {

using Json = nlohmann::json;

constexpr const char* kManifest =
    "schema = 1\n[build]\nbuild = \"\"\n[[suite]]\nname = \"gemm\"\nrun = \"./gemm\"\n"
    "[policy]\nagainst = \"stored\"\nstored = \"fail\"\n";

class ApiStored : public ApiFixture {
 protected:
  static Process process(const std::string& id, int pair, int round, double ns) {
    Process out;
    out.id = id;
    out.suite = "gemm";
    out.side = Side::head;
    out.pair = pair;
    out.round = round;
    out.state_json = "{}";
    out.series.push_back(
        {.benchmark = "gemm/64", .samples_ns = std::vector<double>(9, ns), .error = {}, .counters = {}});
    return out;
  }
  // A promoted baseline of commit 1111… and twenty sessions of it.
  void store_baseline() {
    trigger('1');
    const Json claimed = claim();
    const RunId run{claimed["run"].get<std::int64_t>()};
    const EpochId epoch{claimed["epoch"].get<std::int64_t>()};
    const auto done = database_->write([&](db::Connection& connection) -> Status {
      const auto stored = db::put_process(connection, run, process("p", 0, 0, 100), clock_.now());
      if (!stored) return pass_on(stored);
      if (const Status finished = finish_stored(connection, run, Verdict::unchanged); !finished) return finished;
      const auto id = db::promote(connection,
                                  {.repository = RepositoryId{1},
                                   .run = run,
                                   .name = "main",
                                   .actor = "ann",
                                   .reason = "release",
                                   .anchor = true},
                                  clock_.now());
      if (!id) return pass_on(id);
      const auto baseline = db::get_baseline(connection, *id);
      for (int i = 0; i < 20; ++i) {
        db::NewRun session = service::session_run(*baseline, 2, 7);
        session.queued = false;
        const auto added = db::add_run(connection, session, clock_.now());
        if (!added) return pass_on(added);
        if (const Status set = db::set_epoch(connection, added->id, epoch, "r1"); !set) return set;
        for (int pair = 0; pair < 2; ++pair)
          if (const auto put = db::put_process(
                  connection, added->id,
                  process(std::to_string(i) + "-" + std::to_string(pair), pair, 0, i % 2 == 0 ? 100 : 100.2),
                  clock_.now());
              !put)
            return pass_on(put);
        if (const Status finished = finish_stored(connection, added->id, Verdict::added); !finished) return finished;
      }
      return Status{};
    });
    ASSERT_TRUE(done) << to_string(done.error());
  }
  Status finish_stored(db::Connection& connection, RunId run, Verdict verdict) {
    Comparison comparison;
    comparison.suite = "gemm";
    comparison.benchmark = "gemm/64";
    comparison.verdict = verdict;
    db::FinishedRun finished;
    finished.decision.conclusion = Conclusion::passed;
    finished.decision.comparisons = {comparison};
    return db::finish_run(connection, run, finished, clock_.now());
  }
  // Head alone twice, without a base that builds; the runner claims sessions that would clear anything.
  Json judged(char commit, double ns) {
    trigger(commit);
    const Json claimed = claim();
    EXPECT_EQ(claimed["sessions"][0]["sessions"].size(), 20U);
    const std::string path = "/api/v1/runner/runs/" + claimed["run"].dump();
    const Json resolved = {{"lease", claimed["lease"]},
                           {"base_commit", ""},
                           {"base_tree", ""},
                           {"head_tree", std::string(40, commit)},
                           {"manifest_sha256", sha256_hex(kManifest)},
                           {"policy", "against=stored"},
                           {"notices", Json::array()}};
    EXPECT_EQ(post("runner", path + "/resolved", resolved).status, 200);
    Json processes = Json::array();
    for (int pair = 0; pair < 2; ++pair)
      processes.push_back(
          Json::parse(wire::encode(process(std::string(1, commit) + std::to_string(pair), pair, 2, ns))));
    EXPECT_EQ(post("runner", path + "/processes", {{"lease", claimed["lease"]}, {"processes", processes}}).status, 200);
    Json found = first_push();
    found["base_build"] = "failed";
    found["has_base"] = true;
    found["suites"][0]["stored"] = {{{"suite", "gemm"}, {"benchmark", "gemm/64"}, {"sessions", Json::array()}}};
    const Reply finished =
        post("runner", path + "/finish",
             {{"lease", claimed["lease"]}, {"evidence", found}, {"policy_toml_manifest", kManifest}});
    EXPECT_EQ(finished.status, 200) << finished.body;
    return finished.body["decision"];
  }
};

TEST_F(ApiStored, TheClaimsSessionsJudgeHeadAlone) {
  add_repository();
  store_baseline();
  const Json same = judged('2', 100.1);
  EXPECT_EQ(same["conclusion"], "passed") << same;
  EXPECT_EQ(same["comparisons"][0]["verdict"], "unchanged");
  EXPECT_EQ(same["comparisons"][0]["against"], "stored");
  const Json slow = judged('3', 106);
  EXPECT_EQ(slow["conclusion"], "regressed") << slow;
  EXPECT_EQ(get("/api/v1/baselines?repository=kernels").body["baselines"][0]["sessions"], 20);
  EXPECT_EQ(get("/api/v1/runs?repository=kernels&limit=1").body["runs"][0]["conclusion"], "regressed");
}

TEST_F(ApiStored, AnAcceptedSlowdownPassesAndAFurtherOneFails) {
  add_repository();
  store_baseline();
  EXPECT_EQ(judged('2', 106)["conclusion"], "regressed");
  const Json runs = get("/api/v1/runs?repository=kernels&limit=1").body["runs"];
  const Json body = {{"repository", "kernels"}, {"run", runs[0]["id"]}, {"match", "."}, {"reason", "needed"}};
  ASSERT_EQ(post("admin", "/api/v1/acknowledgements", body).status, 201);
  const Json again = judged('3', 106.3);
  EXPECT_EQ(again["conclusion"], "passed") << again;
  EXPECT_EQ(again["comparisons"][0]["acknowledged"], "admin: needed");
  EXPECT_EQ(judged('4', 112)["conclusion"], "regressed");
}

}  // namespace api_stored_test
}  // namespace kernelgate::api

// SPDX-License-Identifier: Apache-2.0
// What stands now, over a store whose runs were finished with decisions of the tests' own.
#include "core/wire/codec.hpp"
#include "db/runs/runs.hpp"
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_overview_test {

using Json = nlohmann::json;

Comparison timed(Verdict verdict, double base_ns, double head_ns) {
  Comparison out;
  out.suite = "gemm";
  out.benchmark = "gemm/64";
  out.verdict = verdict;
  out.ratio = head_ns / base_ns;
  out.base_median_ns = base_ns;
  out.head_median_ns = head_ns;
  out.degrees = 7;
  return out;
}

Comparison broken() {
  Comparison out;
  out.suite = "gemm";
  out.benchmark = "gemm/odd";
  out.verdict = Verdict::broken;
  out.reason = "gemm.cu:7: out[4] is 3.5";
  out.fingerprint = "gemm/odd:wrong_value:3.5";
  return out;
}

class ApiOverview : public ApiFixture {
 protected:
  void SetUp() override {
    ApiFixture::SetUp();
    add_repository();
  }
  // A finished run of main.
  std::int64_t finished(char commit, Conclusion conclusion, const Comparison& comparison) {
    Json body = trigger_body(commit);
    body["branch"] = "main";
    EXPECT_EQ(post("trigger", "/api/v1/triggers", body).status, 202);
    const Json claimed = claim();
    RunDecision decision;
    decision.conclusion = conclusion;
    decision.comparisons = {comparison};
    db::FinishedRun end;
    end.decision = decision;
    end.gpu_s_held = 10;
    const RunId id{claimed["run"].get<std::int64_t>()};
    const auto done =
        database_->write([&](db::Connection& connection) { return db::finish_run(connection, id, end, clock_.now()); });
    EXPECT_TRUE(done) << to_string(done.error());
    return id.value;
  }
  Json overview() { return get("/api/v1/overview").body; }
};

TEST_F(ApiOverview, AnEmptyStoreHasNothingToSay) {
  const Json seen = overview();
  for (const char* list : {"recent", "regressions", "broken", "running", "runners"})
    EXPECT_EQ(seen[list], Json::array()) << list;
  EXPECT_EQ(seen["spent"]["runs"], 0);
  EXPECT_EQ(seen["spent"]["cost"], nullptr);
}

TEST_F(ApiOverview, ARegressionStaysOpenUntilItIsMended) {
  const auto run = finished('a', Conclusion::regressed, timed(Verdict::regressed, 1000, 1100));
  ASSERT_EQ(overview()["regressions"].size(), 1U);
  EXPECT_EQ(overview()["regressions"][0]["run"], run);
  EXPECT_EQ(overview()["regressions"][0]["commit"], std::string(40, 'a'));
  finished('b', Conclusion::passed, timed(Verdict::unchanged, 1098, 1102));
  EXPECT_EQ(overview()["regressions"].size(), 1U);
  finished('c', Conclusion::passed, timed(Verdict::improved, 1100, 1005));
  EXPECT_EQ(overview()["regressions"], Json::array());
  EXPECT_EQ(overview()["recent"].size(), 3U);
  EXPECT_EQ(overview()["spent"]["gpu_s_held"], 30.0);
}

TEST_F(ApiOverview, AProcessWithoutADeviceStateHasNoPrice) {
  trigger('a');
  const Json claimed = claim();
  ASSERT_EQ(resolve(claimed, 'a').status, 200);
  const Json process{{"id", "p"},
                     {"suite", "gemm"},
                     {"side", "head"},
                     {"round", 0},
                     {"pair", 0},
                     {"attempt", 0},
                     {"order", 0},
                     {"end", "ok"},
                     {"series", Json::array()},
                     {"state_json", "\"nonsense"}};
  const Json upload{{"lease", claimed["lease"]}, {"processes", {process}}};
  ASSERT_EQ(post("runner", "/api/v1/runner/runs/" + claimed["run"].dump() + "/processes", upload).status, 200);
  ASSERT_EQ(finish(claimed, first_push()).status, 200);
  EXPECT_EQ(overview()["spent"]["runs"], 1);
  EXPECT_EQ(overview()["spent"]["cost"], nullptr);
}

TEST_F(ApiOverview, TheBranchStaysRegressedWhileARegressionIsOpen) {
  const auto badge = [this] { return get("/badge/kernels.svg").body.get<std::string>(); };
  EXPECT_NE(badge().find("not yet judged"), std::string::npos);
  finished('a', Conclusion::regressed, timed(Verdict::regressed, 1000, 1100));
  finished('b', Conclusion::passed, timed(Verdict::unchanged, 1098, 1102));
  Json state = overview()["states"];
  ASSERT_EQ(state.size(), 1U);
  EXPECT_EQ(state[0]["conclusion"], "regressed");
  EXPECT_EQ(state[0]["regressions"], 1);
  EXPECT_NE(badge().find("regressed"), std::string::npos);
  finished('c', Conclusion::passed, timed(Verdict::improved, 1100, 1005));
  state = overview()["states"];
  EXPECT_EQ(state[0]["conclusion"], "passed");
  EXPECT_EQ(state[0]["regressions"], 0);
  EXPECT_NE(badge().find("passed"), std::string::npos);
}

TEST_F(ApiOverview, AnAcceptedRegressionIsNotOpen) {
  const auto run = finished('a', Conclusion::regressed, timed(Verdict::regressed, 1000, 1100));
  ASSERT_EQ(post("admin", "/api/v1/acknowledgements",
                 {{"repository", "kernels"}, {"run", run}, {"match", ".*"}, {"reason", "wanted"}})
                .status,
            201);
  EXPECT_EQ(overview()["regressions"], Json::array());
}

TEST_F(ApiOverview, AQuarantinedRegressionIsNotOpen) {
  finished('a', Conclusion::regressed, timed(Verdict::regressed, 1000, 1100));
  const Json aside{{"repository", "kernels"}, {"suite", "gemm"}, {"benchmark", "gemm/64"}, {"reason", "noisy"}};
  const Reply made = post("admin", "/api/v1/quarantines", aside);
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(overview()["regressions"], Json::array());
  const std::string release = "/api/v1/quarantines/" + std::to_string(made.body["id"].get<int>()) + "/release";
  ASSERT_EQ(post("admin", release, {{"repository", "kernels"}, {"reason", "steady again"}}).status, 200);
  EXPECT_EQ(overview()["regressions"].size(), 1U);
}

TEST_F(ApiOverview, KernelsAreBrokenUntilARunSaysOtherwise) {
  const auto run = finished('a', Conclusion::broken, broken());
  ASSERT_EQ(overview()["broken"].size(), 1U);
  EXPECT_EQ(overview()["broken"][0]["fingerprint"], broken().fingerprint);
  const Json seen = get("/api/v1/failures?repository=kernels&fingerprint=gemm/odd:wrong_value:3.5").body["failures"];
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0]["run"], run);
  EXPECT_EQ(get("/api/v1/failures?repository=kernels&fingerprint=other").body["failures"], Json::array());
  EXPECT_EQ(get("/api/v1/failures?repository=kernels").status, 400);
  finished('b', Conclusion::passed, timed(Verdict::unchanged, 1000, 1000));
  EXPECT_EQ(overview()["broken"], Json::array());
}

TEST_F(ApiOverview, UnfinishedRunsShowTheirRunner) {
  trigger('a');
  const Json claimed = claim();
  trigger('b');
  const Json seen = overview();
  ASSERT_EQ(seen["running"].size(), 2U);
  EXPECT_EQ(seen["running"][1]["run"]["id"], claimed["run"]);
  EXPECT_NE(seen["running"][1]["runner"], "");
  EXPECT_EQ(seen["running"][0]["runner"], "");
  EXPECT_EQ(seen["running"][1]["pairs"], 0);
  ASSERT_EQ(seen["runners"].size(), 1U);
}

}  // namespace api_overview_test
}  // namespace kernelgate::api

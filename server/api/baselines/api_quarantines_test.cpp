// SPDX-License-Identifier: Apache-2.0
// Quarantines: how one is set, shown and released, what is refused, and what it means for a run.
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_quarantines_test {

using Json = nlohmann::json;

class ApiQuarantines : public ApiFixture {
 protected:
  void SetUp() override {
    ApiFixture::SetUp();
    add_repository();
  }
  static Json process(const std::string& run, const char* side, int pair, double ns) {
    return {{"id", run + side + std::to_string(pair)},
            {"suite", "gemm"},
            {"side", side},
            {"round", 0},
            {"pair", pair},
            {"attempt", 0},
            {"order", pair},
            {"end", "ok"},
            {"series", {{{"benchmark", "gemm/64"}, {"samples_ns", std::vector<double>(9, ns)}}}}};
  }
  // A run whose head is 10 % slower goes from trigger to verdict.
  Json regressed(char commit) {
    trigger(commit);
    const Json claimed = claim();
    EXPECT_EQ(resolve(claimed, commit).status, 200);
    Json upload = {{"lease", claimed["lease"]}, {"processes", Json::array()}};
    for (int pair = 0; pair < 4; ++pair) {
      upload["processes"].push_back(process(claimed["run"].dump(), "base", pair, 100));
      upload["processes"].push_back(process(claimed["run"].dump(), "head", pair, 110));
    }
    const std::string path = "/api/v1/runner/runs/" + claimed["run"].dump();
    EXPECT_EQ(post("runner", path + "/processes", upload).body["stored"], 8);
    Json found = first_push();
    found["has_base"] = true;
    found["suites"][0]["has_base"] = true;
    found["suites"][0]["base_benchmarks"] = {"gemm/64"};
    EXPECT_EQ(finish(claimed, found).status, 200);
    return get("/api/v1/runs/" + claimed["run"].dump()).body;
  }
  Reply set_aside(const Json& changed = Json::object(), const std::string& role = "admin") {
    Json body{{"repository", "kernels"}, {"suite", "gemm"}, {"benchmark", "gemm/64"}, {"reason", "noisy"}};
    body.update(changed);
    return post(role, "/api/v1/quarantines", body);
  }
  Reply release(const Json& id, const std::string& role = "admin") {
    return post(role, "/api/v1/quarantines/" + id.dump() + "/release",
                {{"repository", "kernels"}, {"reason", "calibrated"}});
  }
};

TEST_F(ApiQuarantines, OneIsSetShownAndReleased) {
  (void)regressed('a');
  const Reply made = set_aside();
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.body["actor"], "admin");
  EXPECT_TRUE(made.body["epoch"].is_null());
  EXPECT_EQ(get("/api/v1/quarantines?repository=kernels").body["quarantines"].size(), 1U);
  EXPECT_EQ(release(made.body["id"]).body["released_by"], "admin");
  EXPECT_EQ(get("/api/v1/quarantines?repository=kernels").body["quarantines"].size(), 0U);
  EXPECT_EQ(get("/api/v1/quarantines?repository=kernels&released=1").body["quarantines"].size(), 1U);
}

TEST_F(ApiQuarantines, RefusalsSayWhatIsWrong) {
  (void)regressed('a');
  EXPECT_EQ(set_aside(Json::object(), "trigger").status, 403);
  EXPECT_EQ(set_aside({{"benchmark", "gemm/65"}}).status, 404);
  EXPECT_EQ(set_aside({{"repository", "none"}}).status, 404);
  EXPECT_EQ(set_aside({{"reason", ""}}).body["where"], "/reason");
  EXPECT_EQ(set_aside({{"reason", std::string(limits::kReasonMax + 1, 'x')}}).status, 400);
  const Reply made = set_aside();
  ASSERT_EQ(made.status, 201) << made.body;
  const Reply again = set_aside();
  EXPECT_EQ(again.status, 409);
  EXPECT_EQ(again.body["fix"], "release that one first");
  EXPECT_EQ(get("/api/v1/quarantines?repository=none").status, 404);
  EXPECT_EQ(get("/api/v1/quarantines?repository=kernels&released=2").status, 400);
  EXPECT_EQ(release(made.body["id"], "read").status, 403);
  EXPECT_EQ(release(999).status, 404);
  EXPECT_EQ(release("x").status, 404);
  EXPECT_EQ(release(made.body["id"]).status, 200);
  EXPECT_EQ(release(made.body["id"]).status, 409);
}

TEST_F(ApiQuarantines, AQuarantinedBenchmarkFailsNoRunAndStaysVisible) {
  EXPECT_EQ(regressed('a')["conclusion"], "regressed");
  const Json id = set_aside().body["id"];
  const Json run = regressed('b');
  EXPECT_EQ(run["conclusion"], "passed");
  EXPECT_EQ(run["exit_code"], 0);
  EXPECT_EQ(run["comparisons"][0]["verdict"], "regressed");
  EXPECT_EQ(run["comparisons"][0]["quarantined"], "admin: noisy");
  EXPECT_EQ(get("/api/v1/overview").body["regressions"], Json::array());
  ASSERT_EQ(release(id).status, 200);
  EXPECT_EQ(regressed('c')["conclusion"], "regressed");
}

// The hook of a push asks in the same words as before: it must not hear what was true then.
TEST_F(ApiQuarantines, ACommitThatWasJudgedBeforeTheActIsJudgedAnewWhenTriggeredAgain) {
  const Json before = regressed('a');
  EXPECT_EQ(post("trigger", "/api/v1/triggers", trigger_body('a')).body["run"], before["id"]);
  const Json id = set_aside().body["id"];
  clock_.ms += 1000;
  const Json aside = regressed('a');  // a trigger that makes no new run fails here
  EXPECT_EQ(aside["conclusion"], "passed");
  EXPECT_EQ(post("trigger", "/api/v1/triggers", trigger_body('a')).body["run"], aside["id"]);
  ASSERT_EQ(release(id).status, 200);
  EXPECT_EQ(regressed('a')["conclusion"], "regressed");
}

// What a machine found of gemm/64 against itself.
Json calibration(double detectable) {
  return {{"repository", "kernels"},
          {"testbed", {{"name", "bench"}}},
          {"commit", std::string(40, 'a')},
          {"rule_version", 2},
          {"program", "kernelgate test"},
          {"benchmarks",
           {{{"suite", "gemm"},
             {"benchmark", "gemm/64"},
             {"injected", 0},
             {"pairs", 32},
             {"ratio", 1},
             {"ratio_low", .99},
             {"ratio_high", 1.01},
             {"sum_squares", .01},
             {"degrees", 31},
             {"detectable", detectable},
             {"tolerate", .01},
             {"catch_limit", .03},
             {"trials", 2},
             {"unchanged", 2}}}}};
}

TEST_F(ApiQuarantines, ACalibrationOfAMachineSetsAsideWhatIsUnstableThere) {
  const std::string target = "/api/v1/calibrations";
  const Reply steady = post("runner", target, calibration(.012));
  ASSERT_EQ(steady.status, 201) << steady.body;
  EXPECT_EQ(steady.body["quarantined"], Json::array());
  const std::string epoch = steady.body["epoch"].dump();
  EXPECT_EQ(get("/api/v1/calibration?repository=kernels&epoch=" + epoch).body["calibration"]["benchmarks"].size(), 1U);
  const Reply noisy = post("runner", target, calibration(.052));
  EXPECT_EQ(noisy.body["quarantined"], Json({"gemm: gemm/64: 3 % is not detectable, 5.2 % is"}));
  const Json held = get("/api/v1/quarantines?repository=kernels").body["quarantines"][0];
  EXPECT_EQ(held["actor"], "calibration");
  EXPECT_EQ(held["epoch"], noisy.body["epoch"]);
  EXPECT_EQ(ask("admin", "GET", "/api/v1/audit?action=calibration.keep").body["actions"].size(), 2U);
}

TEST_F(ApiQuarantines, ACalibrationIsRefusedWithItsPlace) {
  const auto refused = [&](const Json& changed, const std::string& role = "runner") {
    Json body = calibration(.012);
    body.merge_patch(changed);
    return post(role, "/api/v1/calibrations", body);
  };
  EXPECT_EQ(refused(Json::object(), "trigger").status, 403);
  EXPECT_EQ(refused({{"repository", "none"}}).status, 404);
  EXPECT_EQ(refused({{"commit", "main"}}).body["where"], "/commit");
  EXPECT_EQ(refused({{"testbed", {{"name", ""}}}}).body["where"], "/testbed/name");
  EXPECT_EQ(refused({{"benchmarks", Json::array()}}).body["where"], "/benchmarks");
  Json upside_down = calibration(.012)["benchmarks"];
  upside_down[0]["ratio_low"] = 2;
  EXPECT_EQ(refused({{"benchmarks", upside_down}}).body["where"], "/benchmarks");
  EXPECT_EQ(get("/api/v1/epochs").body["epochs"], Json::array());
}

}  // namespace api_quarantines_test
}  // namespace kernelgate::api

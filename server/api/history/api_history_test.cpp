// SPDX-License-Identifier: Apache-2.0
// A benchmark over many commits: levels, creep and the notices of the runs that show them.
#include <cmath>

#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_history_test {

using Json = nlohmann::json;

constexpr const char* kHistory = "/api/v1/history?repository=kernels&suite=gemm&benchmark=gemm%2F64";

std::string hash_of(int number) {
  const std::string digits = std::to_string(number);
  return std::string(40 - digits.size(), '0') + digits;
}

class ApiHistory : public ApiFixture {
 protected:
  Json process(int commit, const char* side, int pair, double ns) const {
    return {
        {"id", std::to_string(commit) + side + std::to_string(pair)},
        {"suite", "gemm"},
        {"side", side},
        {"round", 0},
        {"pair", pair},
        {"attempt", 0},
        {"order", pair},
        {"end", "ok"},
        {"series", {{{"benchmark", "gemm/64"}, {"samples_ns", std::vector<double>(9, ns)}, {"counters", counters_}}}}};
  }
  // The commit goes from trigger to verdict; its base took `base_ns`. Gives the finished run.
  Json measured(int commit, double base_ns, double head_ns, const std::string& branch = "main") {
    Json asked = trigger_body('a');
    asked["commit"] = hash_of(commit);
    asked["branch"] = branch;
    EXPECT_EQ(post("trigger", "/api/v1/triggers", asked).status, 202);
    const Json claimed = claim();
    const std::string path = "/api/v1/runner/runs/" + claimed["run"].dump();
    const Json facts = {{"lease", claimed["lease"]},
                        {"base_commit", hash_of(commit - 1)},
                        {"base_tree", hash_of(commit - 1)},
                        {"head_tree", hash_of(commit)},
                        {"manifest_sha256", ""},
                        {"policy", "tolerate=0.01"},
                        {"notices", Json::array()}};
    EXPECT_EQ(post("runner", path + "/resolved", facts).status, 200);
    Json upload = {{"lease", claimed["lease"]}, {"processes", Json::array()}};
    for (int pair = 0; pair < 4; ++pair) {
      upload["processes"].push_back(process(commit, "base", pair, base_ns));
      upload["processes"].push_back(process(commit, "head", pair, head_ns));
    }
    EXPECT_EQ(post("runner", path + "/processes", upload).body["stored"], 8);
    Json found = first_push();
    found["has_base"] = true;
    found["suites"][0]["has_base"] = true;
    found["suites"][0]["base_benchmarks"] = {"gemm/64"};
    found["ceilings"] = ceilings_;
    found["suites"][0]["profiles"] = profiles_;
    EXPECT_EQ(finish(claimed, found).status, 200);
    return get("/api/v1/runs/" + claimed["run"].dump()).body;
  }

  Json counters_ = Json::object();
  Json ceilings_ = nullptr;
  Json profiles_ = Json::array();
};

TEST_F(ApiHistory, TenCommitsOfHalfAPercentEndInACreepNoticeAndPass) {
  add_repository();
  const auto level = [](int commit) { return 1000.0 + commit % 2; };
  for (int commit = 1; commit <= 12; ++commit) measured(commit, level(commit - 1), level(commit));
  Json run;
  for (int step = 1; step <= 10; ++step)
    run = measured(12 + step, 1000 * std::pow(1.005, step - 1), 1000 * std::pow(1.005, step));
  EXPECT_EQ(run["conclusion"], "passed");
  EXPECT_EQ(run["comparisons"][0]["verdict"], "unchanged");
  ASSERT_EQ(run["notices"].size(), 1U) << run["notices"];
  EXPECT_EQ(run["notices"][0], "gemm: gemm/64: creep: +5.1 % since 0000000000 (10 commits)");

  const Json history = get(kHistory).body;
  EXPECT_EQ(history["branch"], "main");
  ASSERT_EQ(history["points"].size(), 23U);
  EXPECT_EQ(history["points"][0]["side"], "base");
  EXPECT_EQ(history["points"][1]["commit"], hash_of(1));
  EXPECT_EQ(history["creep"]["commit_before"], hash_of(12));
  EXPECT_EQ(history["creep"]["commit_after"], hash_of(13));
  EXPECT_NEAR(history["creep"]["ratio"], 1.051, 0.001);
  EXPECT_TRUE(history["changes"].empty());
  EXPECT_EQ(get(std::string(kHistory) + "&limit=5").body["older_left_out"], true);
  const std::string asked = std::string(kHistory).substr(std::string(kHistory).find('?'));
  const Json columns = get("/api/v1/history/columns" + asked).body;
  EXPECT_EQ(columns["history"]["creep"], history["creep"]);
  EXPECT_TRUE(columns["history"]["points"].empty());
  for (std::size_t i = 0; i < 22; ++i) {
    EXPECT_EQ(columns["columns"]["commit"][i], history["points"][i]["commit"]);
    EXPECT_NEAR(columns["columns"]["median_ns"][i], history["points"][i]["median_ns"].get<double>(), 1e-5);
  }
}

TEST_F(ApiHistory, WorkAndMeasuredRatesGiveTheRoof) {
  add_repository();
  measured(1, 1000, 1000);
  EXPECT_TRUE(get(kHistory).body["work"].is_null());
  EXPECT_TRUE(get("/api/v1/runs/1/ceilings").body["ceilings"].is_null());
  counters_ = {{"flops", 1e9}, {"bytes", 1e6}};
  measured(2, 1000, 1000);
  EXPECT_EQ(get(kHistory).body["work"], (Json{{"flops", 1e9}, {"bytes", 1e6}, {"roof_ns", nullptr}, {"roof", ""}}));
  ceilings_ = {{"copy_bytes_s", 2e12}, {"flops", {{"bf16", 2e18}}}};
  const Json run = measured(3, 1000, 1000);
  const Json history = get(kHistory).body;
  EXPECT_EQ(history["work"]["roof"], "dram");
  EXPECT_NEAR(history["work"]["roof_ns"], 500, 1e-9);
  EXPECT_NEAR(run["comparisons"][0]["roof"]["fraction"], 0.5, 1e-12);
  EXPECT_EQ(get("/api/v1/runs/3/ceilings").body["ceilings"]["flops"], ceilings_["flops"]);
}

TEST_F(ApiHistory, WhatTheProfilerCountedIsThereForThePages) {
  add_repository();
  measured(1, 1000, 1000);
  EXPECT_EQ(get("/api/v1/runs/1/counters").body["counters"].size(), 0U);
  const auto profile = [](const char* side, double bytes) -> Json {
    return {{"benchmark", "gemm/64"}, {"side", side}, {"kernel", "gemm"}, {"counters", {{"dram__bytes.sum", bytes}}}};
  };
  profiles_ = {profile("base", 2e6), profile("head", 3e6)};
  measured(2, 1000, 1000);
  const Json counted = get("/api/v1/runs/2/counters").body["counters"];
  ASSERT_EQ(counted.size(), 2U);
  EXPECT_EQ(counted[0]["suite"], "gemm");
  EXPECT_EQ(counted[0]["profile"], profiles_[0]);
  EXPECT_EQ(counted[1]["profile"]["counters"]["dram__bytes.sum"], 3e6);
  EXPECT_EQ(get("/api/v1/runs/9/counters").status, 404);
}

TEST_F(ApiHistory, AnImprovementIsToldWhenItsPointsConfirmIt) {
  add_repository();
  const auto level = [](int commit) { return (commit <= 10 ? 1000.0 : 940.0) + commit % 3; };
  std::vector<std::string> told;
  for (int commit = 1; commit <= 18; ++commit) {
    const Json run = measured(commit, level(commit - 1), level(commit));
    for (const Json& notice : run["notices"]) told.push_back(notice);
  }
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find("its level moved by -6.0 % between"), std::string::npos) << told[0];
  const Json changes = get(kHistory).body["changes"];
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0]["commit_before"], hash_of(10));
  EXPECT_EQ(changes[0]["commit_after"], hash_of(11));
  EXPECT_NEAR(changes[0]["ratio"], 0.94, 0.001);
}

TEST_F(ApiHistory, EachRunIsHeldAgainstTheAnchoredBaseline) {
  add_repository();
  const auto level = [](int commit) { return (commit == 1 ? 1000.0 : 1050.0) + 0.5 * (commit % 2); };
  const Json release = measured(1, level(1), level(1));
  ASSERT_EQ(release["conclusion"], "passed");
  EXPECT_TRUE(release["notices"].empty());
  const Reply promoted = post("admin", "/api/v1/baselines",
                              {{"repository", "kernels"},
                               {"run", release["id"]},
                               {"name", "release-1.2"},
                               {"reason", "release"},
                               {"anchor", true}});
  ASSERT_EQ(promoted.status, 201) << promoted.body;
  Json run;
  for (int commit = 2; commit <= 9; ++commit) run = measured(commit, level(std::max(2, commit - 1)), level(commit));
  EXPECT_EQ(run["conclusion"], "passed");
  ASSERT_FALSE(run["notices"].empty());
  const std::string notice = run["notices"].back();
  EXPECT_NE(notice.find("against the anchored baseline release-1.2 (0000000000): 1 of 1 benchmarks moved: "
                        "gemm: gemm/64 +5.0 %"),
            std::string::npos)
      << notice;
  EXPECT_NE(notice.find("session offset not known"), std::string::npos) << notice;
  const Json history = get(kHistory).body;
  EXPECT_EQ(history["anchor"]["name"], "release-1.2");
  EXPECT_NEAR(history["anchor"]["ratio"], 1.05, 0.001);
  EXPECT_EQ(history["anchor"]["spread"], "history");
  EXPECT_DOUBLE_EQ(history["points"][0]["anchor_ratio"], 1);
}

TEST_F(ApiHistory, OtherBranchesAreNoPartOfIt) {
  add_repository();
  measured(1, 1000, 1000);
  measured(2, 1000, 2000, "feature");
  EXPECT_EQ(get(kHistory).body["points"].size(), 2U) << "a base and a head";
  EXPECT_EQ(get(std::string(kHistory) + "&branch=feature").body["points"].size(), 2U);
  EXPECT_EQ(get(std::string(kHistory) + "&branch=").body["points"].size(), 3U);
}

TEST_F(ApiHistory, WhatIsMissingOrUnknownIsSaid) {
  EXPECT_EQ(get(kHistory).status, 404);
  add_repository();
  EXPECT_EQ(get("/api/v1/history?repository=kernels&suite=gemm").status, 400);
  EXPECT_EQ(get(std::string(kHistory) + "&limit=10001").status, 400);
  const Json nothing = get(kHistory).body;
  EXPECT_TRUE(nothing["points"].empty());
  EXPECT_EQ(nothing["epoch"], 0);
}

}  // namespace api_history_test
}  // namespace kernelgate::api

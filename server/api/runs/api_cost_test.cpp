// SPDX-License-Identifier: Apache-2.0
// What a run cost: seconds from the runner, the price from its processes, what stopping early saved.
#include "core/decision/evidence/policy.hpp"
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_cost_test {

using Json = nlohmann::json;

class ApiCost : public ApiFixture {
 protected:
  static Json process(const std::string& id, const char* side, int pair, int order, const std::string& state) {
    return {{"id", id},
            {"suite", "gemm"},
            {"side", side},
            {"round", 0},
            {"pair", pair},
            {"attempt", 0},
            {"order", order},
            {"gpu_s", 2.0},
            {"end", "ok"},
            {"state_json", state},
            {"series", {{{"benchmark", "gemm/64"}, {"samples_ns", std::vector<double>(9, 100 + order % 2)}}}}};
  }
  // Four pairs of which the policy allows sixteen.
  std::int64_t measured_run(const std::string& state) {
    add_repository();
    const auto run = trigger('a');
    const Json claimed = claim();
    const Json facts = {{"lease", claimed["lease"]},
                        {"base_commit", std::string(40, 'b')},
                        {"base_tree", std::string(40, '1')},
                        {"head_tree", std::string(40, '2')},
                        {"manifest_sha256", ""},
                        {"policy", canonical_text(Policy{})}};
    const std::string path = "/api/v1/runner/runs/" + std::to_string(run);
    EXPECT_EQ(post("runner", path + "/resolved", facts).status, 200);
    Json body = {{"lease", claimed["lease"]}, {"processes", Json::array()}};
    for (int i = 0; i < 8; ++i)
      body["processes"].push_back(
          process("p" + std::to_string(i), i % 4 == 0 || i % 4 == 3 ? "base" : "head", i / 2, i, state));
    EXPECT_EQ(post("runner", path + "/processes", body).body["stored"], 8);
    Json found = first_push();
    found["has_base"] = true;
    found["suites"][0]["has_base"] = true;
    found["suites"][0]["base_benchmarks"] = {"gemm/64"};
    EXPECT_EQ(post("runner", path + "/finish",
                   {{"lease", claimed["lease"]}, {"evidence", found}, {"gpu_s_held", 20}, {"gpu_s_used", 16}})
                  .status,
              200);
    return run;
  }
};

TEST_F(ApiCost, SecondsAndMoneyOfARunAndItsBenchmarks) {
  const auto run = measured_run(R"({"gpu":"GPU-1","price_per_hour":3.6})");
  const Reply cost = get("/api/v1/runs/" + std::to_string(run) + "/cost");
  ASSERT_EQ(cost.status, 200) << cost.body;
  EXPECT_EQ(cost.body["gpu_s_held"], 20);
  EXPECT_EQ(cost.body["seconds_saved"], 16 * 4 - 16);
  EXPECT_EQ(cost.body["price_per_hour"], 3.6);
  EXPECT_NEAR(cost.body["cost_held"], 0.02, 1e-12);
  ASSERT_EQ(cost.body["benchmarks"].size(), 1U);
  EXPECT_EQ(cost.body["benchmarks"][0]["gpu_s"], 16);
  EXPECT_NEAR(cost.body["benchmarks"][0]["cost"], 0.016, 1e-12);
}

TEST_F(ApiCost, WithoutAPriceThereAreOnlySeconds) {
  const auto run = measured_run(R"({"price_per_hour":"free"})");
  const Reply cost = get("/api/v1/runs/" + std::to_string(run) + "/cost");
  EXPECT_TRUE(cost.body["price_per_hour"].is_null());
  EXPECT_TRUE(cost.body["cost_used"].is_null());
  EXPECT_TRUE(cost.body["benchmarks"][0]["cost"].is_null());
  EXPECT_EQ(get("/api/v1/runs/999/cost").status, 404);
}

}  // namespace api_cost_test
}  // namespace kernelgate::api

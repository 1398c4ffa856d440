// SPDX-License-Identifier: Apache-2.0
// A head with two modes: the run passes, warns, and gives out both histograms.
#include <numeric>

#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_distribution_test {

using Json = nlohmann::json;

class ApiDistribution : public ApiFixture {
 protected:
  // About 1000 ns, but four of head's nine samples are 2 % slower.
  static Json process(int pair, const std::string& side) {
    const bool is_head = side == "head";
    std::vector<double> samples;
    for (int i = 0; i < 9; ++i) samples.push_back((is_head && i % 2 == 1 ? 1020 : 1000) + 0.1 * i + 0.05 * pair);
    return {{"id", side + std::to_string(pair)},
            {"suite", "gemm"},
            {"side", side},
            {"round", 0},
            {"pair", pair},
            {"attempt", 0},
            {"order", 2 * pair + (is_head ? 1 : 0)},
            {"end", "ok"},
            {"series", {{{"benchmark", "gemm/64"}, {"samples_ns", samples}}}}};
  }
};

TEST_F(ApiDistribution, TwoModesOfHeadAreAWarningWithBothHistograms) {
  add_repository();
  trigger('a');
  const Json claimed = claim();
  ASSERT_EQ(resolve(claimed, '1', '2').status, 200);
  const std::string run = claimed["run"].dump();
  Json processes = Json::array();
  for (int pair = 0; pair < 8; ++pair)
    for (const char* side : {"base", "head"}) processes.push_back(process(pair, side));
  const Json upload = {{"lease", claimed["lease"]}, {"processes", processes}};
  ASSERT_EQ(post("runner", "/api/v1/runner/runs/" + run + "/processes", upload).body["stored"], 16);
  Json found = first_push();
  found["has_base"] = true;
  found["suites"][0]["has_base"] = true;
  found["suites"][0]["base_benchmarks"] = {"gemm/64"};
  ASSERT_EQ(finish(claimed, found).status, 200);

  const Json whole = get("/api/v1/runs/" + run).body;
  EXPECT_EQ(whole["conclusion"], "passed") << whole;
  EXPECT_EQ(whole["comparisons"][0]["verdict"], "unchanged");
  ASSERT_EQ(whole["notices"].size(), 1U);
  EXPECT_NE(whole["notices"][0].get<std::string>().find(" of head samples are "), std::string::npos);
  const Json change = whole["comparisons"][0]["distribution"];
  ASSERT_TRUE(change.is_object()) << whole;
  EXPECT_EQ(change["kind"], "modes");
  EXPECT_NEAR(change["distance"], 0.02, 0.002);
  EXPECT_DOUBLE_EQ(change["head_share"], 4.0 / 9);
  for (const char* side : {"base_counts", "head_counts"}) {
    const auto counts = change[side].get<std::vector<int>>();
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0), 72) << side;
  }
  EXPECT_EQ(get("/api/v1/runs/" + run + "/comparisons").body["comparisons"][0]["distribution"], change);
}

}  // namespace api_distribution_test
}  // namespace kernelgate::api

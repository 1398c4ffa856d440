// SPDX-License-Identifier: Apache-2.0
// What pages draw as it is sent: pairs as they were judged, the sentence and the verdicts of a run, two runs compared.
#include "server/api/runs/shown.hpp"

#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace shown_test {

using Json = nlohmann::json;

class ApiShown : public ApiFixture {
 protected:
  void SetUp() override {
    ApiFixture::SetUp();
    add_repository();
  }
  static Json process(const std::string& id, const char* side, int pair, int attempt, int order, double ns) {
    return {{"id", id},
            {"suite", "gemm"},
            {"side", side},
            {"round", 0},
            {"pair", pair},
            {"attempt", attempt},
            {"order", order},
            {"end", "ok"},
            {"series", {{{"benchmark", "gemm/64"}, {"samples_ns", std::vector<double>(9, ns)}}}}};
  }
  // A run of the commit whose first pair was redone; head takes `ns`, base 100.
  std::string judged(char commit, double ns) {
    trigger(commit);
    const Json claimed = claim();
    const std::string name(1, commit), path = "/api/v1/runner/runs/" + claimed["run"].dump();
    const Json facts = {{"lease", claimed["lease"]},
                        {"base_commit", std::string(40, 'f')},
                        {"base_tree", std::string(40, '1')},
                        {"head_tree", std::string(40, commit)},
                        {"manifest_sha256", ""},
                        {"policy", canonical_text(Policy{})}};
    EXPECT_EQ(post("runner", path + "/resolved", facts).status, 200);
    const Json body = {{"lease", claimed["lease"]},
                       {"processes",
                        {process(name + "1", "base", 0, 0, 0, 100), process(name + "2", "head", 0, 0, 1, 900),
                         process(name + "3", "base", 0, 1, 2, 100), process(name + "4", "head", 0, 1, 3, ns),
                         process(name + "5", "head", 1, 0, 4, ns), process(name + "6", "base", 1, 0, 5, 100),
                         process(name + "7", "base", 2, 0, 6, 100)}}};
    EXPECT_EQ(post("runner", path + "/processes", body).body["stored"], 7);
    Json found = first_push();
    found["has_base"] = true;
    found["suites"][0]["has_base"] = true;
    found["suites"][0]["base_benchmarks"] = {"gemm/64"};
    EXPECT_EQ(finish(claimed, found).status, 200);
    return claimed["run"].dump();
  }
};

TEST_F(ApiShown, PairsAreThoseThatTheDecisionCounted) {
  const std::string run = judged('a', 110);
  const Json answer = get("/api/v1/runs/" + run + "/pairs?suite=gemm&benchmark=gemm%2F64").body;
  ASSERT_EQ(answer["pairs"].size(), 2U) << answer;
  const Json& first = answer["pairs"][0];
  EXPECT_EQ(first["pair"], 0);
  EXPECT_NEAR(first["ratio"], 1.1, 1e-12);
  EXPECT_NEAR(first["base_median_ns"], 100, 1e-9);
  EXPECT_NEAR(first["head_median_ns"], 110, 1e-9);
  EXPECT_EQ(first["head_first"], false);
  EXPECT_EQ(answer["pairs"][1]["head_first"], true);
  EXPECT_EQ(get("/api/v1/runs/" + run + "/comparisons").body["comparisons"][0]["pairs"], 2);
  EXPECT_EQ(get("/api/v1/runs/" + run + "/pairs?suite=gemm&benchmark=none").status, 404);
  EXPECT_EQ(get("/api/v1/runs/" + run + "/pairs?suite=gemm").status, 400);
}

TEST_F(ApiShown, ARunCarriesItsSentenceItsVerdictsAndItsBand) {
  const Json run = get("/api/v1/runs/" + judged('a', 110)).body;
  EXPECT_EQ(run["headline"].get<std::string>().find("1 of 1 benchmark"), 0U) << run["headline"];
  ASSERT_EQ(run["verdicts"].size(), 1U);
  EXPECT_EQ(run["verdicts"][0]["verdict"], run["comparisons"][0]["verdict"]);
  EXPECT_EQ(run["verdicts"][0]["count"], 1);
  EXPECT_EQ(run["band"], Json({{"tolerate", 0.01}, {"catch_limit", 0.03}}));
}

TEST_F(ApiShown, TwoRunsWithOneBaseAreComparedByIt) {
  const std::string base = judged('a', 110), head = judged('b', 121);
  const Json answer = get("/api/v1/compare?base=" + base + "&head=" + head).body;
  EXPECT_EQ(answer["pairing"], "common_base") << answer;
  ASSERT_EQ(answer["benchmarks"].size(), 1U);
  EXPECT_NEAR(answer["benchmarks"][0]["ratio"], 1.1, 1e-9);
  EXPECT_EQ(answer["benchmarks"][0]["verdict"], "");
  EXPECT_EQ(answer["verdicts"], Json::array());
  EXPECT_EQ(get("/api/v1/compare?base=" + base + "&head=999").status, 404);
  EXPECT_EQ(get("/api/v1/compare?base=x&head=1").status, 400);
}

TEST(CountVerdicts, KeepsTheReadingOrder) {
  std::vector<Comparison> rows(4);
  rows[0].verdict = Verdict::unchanged;
  rows[1].verdict = Verdict::crashed;
  rows[2].verdict = Verdict::unchanged;
  rows[3].verdict = Verdict::regressed;
  const auto counts = count_verdicts(rows);
  ASSERT_EQ(counts.size(), 3U);
  EXPECT_EQ(counts[0].verdict, Verdict::crashed);
  EXPECT_TRUE(counts[0].failure);
  EXPECT_EQ(counts[1].verdict, Verdict::regressed);
  EXPECT_FALSE(counts[1].failure);
  EXPECT_EQ(counts[2].count, 2);
}

}  // namespace shown_test
}  // namespace kernelgate::api

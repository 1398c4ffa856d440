// SPDX-License-Identifier: Apache-2.0
// Which stored variance judges a run: the copy that its claim carried, whatever came in since.
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_variance_test {

using Json = nlohmann::json;

class ApiVariance : public ApiFixture {
 protected:
  // Ends a run of the commit with a comparison whose squares make the variance from now on.
  void store_variance(const Json& claimed, double variance) {
    db::FinishedRun finished;
    finished.decision.conclusion = Conclusion::passed;
    Comparison comparison;
    comparison.suite = "gemm";
    comparison.benchmark = "gemm/64";
    comparison.verdict = Verdict::unchanged;
    comparison.degrees = 15;
    comparison.sum_squares = variance * comparison.degrees;
    finished.decision.comparisons = {comparison};
    const RunId id{claimed["run"].get<std::int64_t>()};
    const auto done = database_->write(
        [&](db::Connection& connection) { return db::finish_run(connection, id, finished, clock_.now()); });
    ASSERT_TRUE(done) << to_string(done.error());
  }
  Json triggered(char commit) {
    trigger(commit);
    return claim();
  }
  static Json process(const std::string& id, const char* side, int pair, int order, double ns) {
    return {{"id", id},
            {"suite", "gemm"},
            {"side", side},
            {"round", 0},
            {"pair", pair},
            {"attempt", 0},
            {"order", order},
            {"end", "ok"},
            {"series", {{{"benchmark", "gemm/64"}, {"samples_ns", std::vector<double>(9, ns)}}}}};
  }
  // Two pairs, head slower by a tenth: enough with a small stored variance, nothing with a large one.
  Json judged(const Json& claimed, char tree) {
    EXPECT_EQ(resolve(claimed, tree, 'f').status, 200);
    const std::string name = std::string(1, tree);
    const Json body = {{"lease", claimed["lease"]},
                       {"processes",
                        {process(name + "1", "base", 0, 0, 100), process(name + "2", "head", 0, 1, 110),
                         process(name + "3", "head", 1, 2, 110.2), process(name + "4", "base", 1, 3, 100)}}};
    const std::string path = "/api/v1/runner/runs/" + claimed["run"].dump();
    EXPECT_EQ(post("runner", path + "/processes", body).body["stored"], 4);
    Json found = first_push();
    found["has_base"] = true;
    found["suites"][0]["has_base"] = true;
    found["suites"][0]["base_benchmarks"] = {"gemm/64"};
    const Reply finished = finish(claimed, found);
    EXPECT_EQ(finished.status, 200) << finished.body;
    return finished.body["decision"]["comparisons"][0];
  }
  static double variance_of(const Json& claimed) { return claimed["stored"][0]["variance"]; }
};

TEST_F(ApiVariance, TheClaimsCopyJudgesAndNotWhatIsStoredSince) {
  add_repository();
  const Json quiet = triggered('1');
  EXPECT_EQ(quiet["stored"].size(), 0U);
  store_variance(quiet, 1e-6);

  const Json early = triggered('2');
  ASSERT_EQ(early["stored"].size(), 1U);
  EXPECT_DOUBLE_EQ(variance_of(early), 1e-6);

  store_variance(triggered('3'), 0.25);
  const Json late = triggered('4');
  EXPECT_NEAR(variance_of(late), 0.125, 1e-3);  // both comparisons, pooled

  const Json by_copy = judged(early, '2');
  EXPECT_EQ(by_copy["verdict"], "regressed") << by_copy;
  EXPECT_EQ(by_copy["looks"][0]["used_stored"], true);
  EXPECT_LT(by_copy["looks"][0]["se"], 0.01);

  const Json by_new = judged(late, '4');
  EXPECT_NE(by_new["verdict"], "regressed") << by_new;
  EXPECT_GT(by_new["looks"][0]["se"], 0.1);
}

}  // namespace api_variance_test
}  // namespace kernelgate::api

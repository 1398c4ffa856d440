// SPDX-License-Identifier: Apache-2.0
// Workloads and regions of a finished run, in the API and on its page.
#include <gmock/gmock.h>

#include "core/wire/codec.hpp"
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_findings_test {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

RunDecision found() {
  RunDecision out;
  out.conclusion = Conclusion::passed;
  out.workloads.push_back({.suite = "gemm",
                           .name = "decode <1>",
                           .verdict = Verdict::improved,
                           .ratio = 0.98,
                           .low = 0.97,
                           .high = 0.985,
                           .benchmarks = 3,
                           .timed = 3,
                           .gains = {"gemm/64 -3.00 % (weight 70 %)", "gemm/8 -1.00 % (weight 30 %)"},
                           .losses = {}});
  out.regions.push_back({"gemm", "bf16, K < 512", Verdict::improved, 6, 5, 1, 0.96});
  return out;
}

class ApiFindings : public ApiFixture {
 protected:
  std::string finished(const RunDecision& decision) {
    add_repository();
    trigger('a');
    const Json claimed = claim();
    db::FinishedRun end;
    end.decision = decision;
    const RunId id{claimed["run"].get<std::int64_t>()};
    const auto done =
        database_->write([&](db::Connection& connection) { return db::finish_run(connection, id, end, clock_.now()); });
    EXPECT_TRUE(done) << to_string(done.error());
    return std::to_string(id.value);
  }
};

TEST_F(ApiFindings, StandInTheRun) {
  const std::string id = finished(found());
  const Json run = get("/api/v1/runs/" + id).body;
  ASSERT_EQ(run["workloads"].size(), 1U);
  EXPECT_EQ(run["workloads"][0]["name"], "decode <1>");
  EXPECT_EQ(run["workloads"][0]["gains"].size(), 2U);
  ASSERT_EQ(run["regions"].size(), 1U);
  EXPECT_EQ(run["regions"][0]["moved"], 5);
}

TEST_F(ApiFindings, ARunWithoutAnyShowsNone) {
  const std::string id = finished({});
  EXPECT_EQ(get("/api/v1/runs/" + id).body["workloads"], Json::array());
}

}  // namespace api_findings_test
}  // namespace kernelgate::api

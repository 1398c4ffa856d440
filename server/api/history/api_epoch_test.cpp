// SPDX-License-Identifier: Apache-2.0
// A testbed whose facts change: baselines go along once their binaries were timed in the new epoch.
#include "db/baselines/calibrations.hpp"
#include "db/store/database.hpp"
#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_epoch_test {

using Json = nlohmann::json;

class ApiEpoch : public ApiFixture {
 protected:
  Json claim_with(const std::string& driver) {
    const Reply got = post("runner", "/api/v1/runner/claim",
                           {{"runner", "r1"}, {"testbed", {{"name", "bench"}, {"driver", driver}}}, {"wait_s", 20}});
    EXPECT_EQ(got.status, 200) << got.body;
    return got.body;
  }
  Reply report(const Json& claimed, const std::string& what, Json body) {
    body["lease"] = claimed["lease"];
    return post("runner", "/api/v1/runner/runs/" + claimed["run"].dump() + "/" + what, body);
  }
  void promote_release() {
    add_repository();
    trigger('a');
    const Json claimed = claim_with("580");
    ASSERT_EQ(resolve(claimed, '1').status, 200);
    const Json process = {
        {"id", "p"},  {"suite", "gemm"}, {"side", "head"},
        {"round", 0}, {"pair", 0},       {"attempt", 0},
        {"order", 0}, {"end", "ok"},     {"series", {{{"benchmark", "gemm/64"}, {"samples_ns", {100, 100, 100}}}}}};
    ASSERT_EQ(report(claimed, "processes", {{"processes", {process}}}).status, 200);
    ASSERT_EQ(finish(claimed, first_push()).status, 200);
    const Json body = {{"repository", "kernels"}, {"run", 1}, {"name", "release"}, {"reason", "1.0"}};
    ASSERT_EQ(post("admin", "/api/v1/baselines", body).status, 201);
  }
  static Json upload(double median_ns) {
    return {{"commit", std::string(40, 'a')},
            {"text", "driver 580 -> 590: +4.0 %"},
            {"control_ratio", 1.04},
            {"figures", {{{"suite", "gemm"}, {"benchmark", "gemm/64"}, {"median_ns", median_ns}, {"processes", 3}}}}};
  }
};

TEST_F(ApiEpoch, ABaselineIsCarriedWithoutHands) {
  promote_release();
  trigger('b');
  const Json claimed = claim_with("590");
  const Reply made = report(claimed, "epoch", upload(104));
  ASSERT_EQ(made.status, 200) << made.body;
  EXPECT_EQ(made.body["carried"], 1);
  EXPECT_EQ(report(claimed, "epoch", upload(104)).body["carried"], 0) << "a repeated call changes nothing";
  const Json all = get("/api/v1/baselines?repository=kernels").body["baselines"];
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0]["epoch"], claimed["epoch"]);
  EXPECT_NE(all[0]["reason"].get<std::string>().find("driver 580 -> 590: +4.0 %"), std::string::npos);
  const Reply one = get("/api/v1/baselines/" + all[0]["id"].dump());
  EXPECT_EQ(one.body["benchmarks"][0]["median_ns"], 104) << one.body;
}

TEST_F(ApiEpoch, WhatIsNoTimeOrNoLeaseIsRefused) {
  promote_release();
  trigger('b');
  const Json claimed = claim_with("590");
  EXPECT_EQ(report(claimed, "epoch", upload(0)).status, 400);
  EXPECT_EQ(report(claimed, "epoch", {{"commit", "a"}}).status, 400);
  Json long_text = upload(104);
  long_text["text"] = std::string(3000, 'x');
  EXPECT_EQ(report(claimed, "epoch", long_text).status, 413);
  Json other = upload(104);
  other["lease"] = "another";
  EXPECT_EQ(post("runner", "/api/v1/runner/runs/2/epoch", other).status, 409);
}

TEST_F(ApiEpoch, EpochsAreListedWithTheirFactsAndTheLastCalibration) {
  promote_release();
  trigger('b');
  const Json claimed = claim_with("590");
  const Json epochs = get("/api/v1/epochs").body["epochs"];
  ASSERT_EQ(epochs.size(), 2U);
  EXPECT_EQ(epochs[0]["id"], claimed["epoch"]);
  EXPECT_EQ(epochs[0]["testbed"], "bench");
  EXPECT_EQ(epochs[0]["driver"], "590");
  EXPECT_EQ(epochs[0]["over"], false);
  EXPECT_EQ(epochs[1]["over"], true);
  EXPECT_EQ(get("/api/v1/epochs?limit=1").body["next"], epochs[0]["id"].dump());

  const std::string target = "/api/v1/calibration?repository=kernels&epoch=" + epochs[0]["id"].dump();
  EXPECT_TRUE(get(target).body["calibration"].is_null());
  const EpochId epoch{epochs[0]["id"].get<std::int64_t>()};
  const auto stored = database_->write([&](db::Connection& connection) {
    return db::add_calibration(connection, RepositoryId{1}, epoch,
                               {.commit = std::string(40, 'a'),
                                .benchmarks = {{.suite = "gemm",
                                                .benchmark = "gemm/64",
                                                .pairs = 32,
                                                .sum_squares = 0.0031,
                                                .degrees = 31,
                                                .detectable = 0.02}}});
  });
  ASSERT_TRUE(stored);
  const Json found = get(target).body["calibration"]["benchmarks"];
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0]["noise"].get<double>(), 0.01, 1e-9);
  EXPECT_EQ(found[0]["detectable"], 0.02);
  EXPECT_EQ(get("/api/v1/calibration?repository=none&epoch=1").status, 404);
}

}  // namespace api_epoch_test
}  // namespace kernelgate::api

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "kernels/probe/ceilings_report.hpp"
#include "kernels/probe/health_arguments.hpp"

namespace kernels {
namespace {

TEST(CeilingsReport, HasMeasuredRatesBesideTheDatasheets) {
  const auto json = nlohmann::json::parse(to_json({.device = "NVIDIA H200",
                                                   .copy_bytes_s = 4.23e12,
                                                   .l2_bytes_s = 7.2e12,
                                                   .l2_bytes = 62914560,
                                                   .flops = {{"fp16", 719e12}, {"fp32", 6e13}}}));
  EXPECT_EQ(json.at("copy_bytes_s"), 4.23e12);
  EXPECT_EQ(json.at("l2_bytes_s"), 7.2e12);
  EXPECT_EQ(json.at("l2_bytes"), 62914560);
  EXPECT_EQ(json.at("flops"), nlohmann::json({{"fp16", 719e12}, {"fp32", 6e13}}));
  EXPECT_EQ(json.at("peak_flops").at("fp16"), 989e12);
  EXPECT_EQ(json.at("peak_bytes_s"), 4.8e12);
  EXPECT_EQ(json.at("peak_clock_mhz"), 1830);
}

TEST(CeilingsReport, LeavesOutWhatIsNotKnown) {
  const auto json = nlohmann::json::parse(to_json({.device = "another card"}));
  EXPECT_TRUE(json.at("flops").empty());
  EXPECT_TRUE(json.at("peak_flops").empty());
  EXPECT_EQ(json.at("peak_bytes_s"), 0);
}

TEST(HealthArguments, TakeOneLimit) {
  const auto limit = [](std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "program");
    return health_limit_s(static_cast<int>(arguments.size()), arguments.data());
  };
  EXPECT_EQ(limit({}), kHealthLimitS);
  EXPECT_EQ(limit({"--limit-s", "2.5"}), 2.5);
  for (const char* wrong : {"0", "601", "soon", "", "nan"}) EXPECT_FALSE(limit({"--limit-s", wrong})) << wrong;
  EXPECT_FALSE(limit({"--limit-s"}));
  EXPECT_FALSE(limit({"--limit", "2"}));
}

}  // namespace
}  // namespace kernels

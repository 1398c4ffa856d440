// SPDX-License-Identifier: Apache-2.0
#include "server/plot/axis.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace kernelgate::plot {
namespace axis_test {

// The same cases as dashboards/src/lib/axis_test.ts.
TEST(ChangeAxis, IsTheOneThatTheDashboardDraws) {
  std::ifstream file(KG_GOLDEN "/plot/axis.json");
  const auto cases = nlohmann::json::parse(file);
  EXPECT_GE(cases.size(), 5U);
  for (const auto& one : cases) {
    std::vector<double> ratios;
    for (const double ratio : one["ratios"]) ratios.insert(ratios.end(), {ratio * 0.99, ratio, ratio * 1.01});
    const ChangeAxis axis = axis_of(ratios, one["catch_limit"]);
    EXPECT_NEAR(axis.reach, one["reach"], 1e-12);
    const std::vector<double> ticks = ticks_of(axis);
    ASSERT_EQ(ticks.size(), one["ticks"].size()) << one;
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      EXPECT_EQ(tick_text(ticks[i]), one["ticks"][i]["text"]) << one;
      EXPECT_NEAR(place_of(axis, one["ticks"][i]["ratio"]), one["ticks"][i]["place"], 1e-12);
    }
  }
}

TEST(ChangeAxis, WhatIsBeyondLiesAtTheEnd) {
  const ChangeAxis axis = axis_of(std::vector<double>{1e9}, 0.03);
  EXPECT_EQ(place_of(axis, 1e9), 1);
  EXPECT_EQ(place_of(axis, 1e-9), 0);
  EXPECT_EQ(place_of(axis, 1), 0.5);
}

}  // namespace axis_test
}  // namespace kernelgate::plot

// SPDX-License-Identifier: Apache-2.0
// Holds every statistic against the answers of R and of SciPy in tests/golden/stats (made by make.R and make_scipy.py).
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/stats/cliffs_delta.hpp"
#include "core/stats/distributions.hpp"
#include "core/stats/false_discovery.hpp"
#include "core/stats/hodges_lehmann.hpp"
#include "core/stats/mann_whitney.hpp"
#include "core/stats/quantile_interval.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::stats {
namespace golden_test {

using nlohmann::json;

// The cases of one test, R's and then SciPy's; the counts keep a case from silently falling away.
class Golden : public testing::Test {
 protected:
  static void append(const char* name, const std::string& test, std::size_t count, std::vector<json>& out) {
    std::ifstream file(std::string(KG_GOLDEN_STATS) + "/" + name);
    const std::size_t before = out.size();
    for (const json& row : json::parse(file))
      if (row["test"] == test) out.push_back(row);
    EXPECT_EQ(out.size() - before, count) << name;
  }
  static std::vector<json> cases(const std::string& test, std::size_t by_r, std::size_t by_scipy) {
    std::vector<json> out;
    append("vectors.json", test, by_r, out);
    append("scipy.json", test, by_scipy, out);
    return out;
  }
  static std::vector<double> values(const json& row, const char* member) {
    return row[member].get<std::vector<double>>();
  }
  static void near(double got, const json& want, double relative, const json& row) {
    const double value = want.get<double>();
    EXPECT_NEAR(got, value, relative * std::abs(value) + 1e-300) << row.dump().substr(0, 400);
  }
  static void interval_near(const Interval& got, const json& row) {
    near(got.estimate, row["estimate"], 1e-9, row);
    near(got.low, row["low"], 1e-9, row);
    near(got.high, row["high"], 1e-9, row);
  }
};

TEST_F(Golden, Quantiles) {
  for (const json& row : cases("quantile", 30, 35))
    near(quantile(values(row, "values"), row["p"]).value(), row["value"], 1e-14, row);
}

TEST_F(Golden, TAndFQuantiles) {
  for (const json& row : cases("t_quantile", 48, 48))
    EXPECT_NEAR(t_quantile(row["p"], row["degrees"]), row["value"].get<double>(),
                1e-9 * (1 + std::abs(row["value"].get<double>())));
  for (const json& row : cases("f_quantile", 24, 42))
    near(f_quantile(row["p"], row["numerator"], row["denominator"]), row["value"], 1e-9, row);
}

TEST_F(Golden, MannWhitney) {
  for (const json& row : cases("mann_whitney", 38, 43)) {
    const MannWhitney got = mann_whitney(values(row, "first"), values(row, "second")).value();
    EXPECT_EQ(got.u, row["u"].get<double>());
    EXPECT_NEAR(got.p, row["p"].get<double>(), row["tolerance"].get<double>()) << row.dump().substr(0, 400);
  }
}

TEST_F(Golden, CliffsDelta) {
  for (const json& row : cases("cliffs_delta", 15, 0))
    interval_near(cliffs_delta(values(row, "first"), values(row, "second")).value(), row);
}

TEST_F(Golden, HodgesLehmann) {
  for (const json& row : cases("hodges_lehmann", 15, 0))
    interval_near(hodges_lehmann(values(row, "differences")).value(), row);
}

TEST_F(Golden, BenjaminiHochberg) {
  for (const json& row : cases("benjamini_hochberg", 4, 4)) {
    const std::vector<double> got = benjamini_hochberg(values(row, "p")).value(), want = values(row, "q");
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-14);
  }
}

TEST_F(Golden, QuantileIntervals) {
  for (const json& row : cases("quantile_interval", 15, 0)) {
    const QuantileInterval got = quantile_interval(values(row, "values"), row["p"]).value();
    near(got.interval.low, row["low"], 1e-14, row);
    near(got.interval.high, row["high"], 1e-14, row);
  }
}

}  // namespace golden_test
}  // namespace kernelgate::stats

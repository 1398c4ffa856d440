// SPDX-License-Identifier: Apache-2.0
#include "core/stats/bootstrap.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "core/stats/quantile_interval.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::stats {
namespace bootstrap_test {

double mean_of(std::span<const double> x) { return moments(x)->mean; }

TEST(BcaBootstrap, SeedRepeats) {
  const std::vector<double> x{1, 4, 2, 8, 5, 7};
  const Interval one = bca_interval(x, mean_of, {.resamples = 500, .confidence = .9, .seed = 3}).value();
  const Interval again = bca_interval(x, mean_of, {.resamples = 500, .confidence = .9, .seed = 3}).value();
  EXPECT_EQ(one.low, again.low);
  EXPECT_NE(one.low, bca_interval(x, mean_of, {.resamples = 500, .confidence = .9, .seed = 4})->low);
  EXPECT_LT(one.low, one.estimate);
  EXPECT_GT(one.high, one.estimate);
}

TEST(BcaBootstrap, HardCases) {
  const Interval constant = bca_interval(std::vector<double>(9, 2e9), mean_of, {}).value();
  EXPECT_EQ(constant.low, 2e9);
  EXPECT_EQ(constant.high, 2e9);
  EXPECT_EQ(bca_interval(std::vector<double>{3}, mean_of, {})->high, 3);
  EXPECT_EQ(bca_interval({}, mean_of, {}).error().code, Errc::invalid);
  EXPECT_EQ(bca_interval(std::vector<double>{1, 2}, mean_of, {.resamples = 10}).error().code, Errc::invalid);
}

TEST(QuantileInterval, SaysWhatItCoversWhereTheSampleIsTooSmall) {
  const QuantileInterval got = quantile_interval(std::vector<double>{1, 2, 3}, .5).value();
  EXPECT_EQ(got.interval.low, 1);
  EXPECT_EQ(got.interval.high, 3);
  EXPECT_NEAR(got.coverage, .75, 1e-12);
  EXPECT_EQ(quantile_interval(std::vector<double>{1}, .5)->interval.high, 1);
  EXPECT_EQ(quantile_interval(std::vector<double>{1}, 0).error().code, Errc::invalid);
}

TEST(QuantileInterval, CoversAtLeastTheConfidence) {
  for (int n : {6, 20, 133, 5000}) {
    std::vector<double> x(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
    const QuantileInterval got = quantile_interval(x, .5).value();
    EXPECT_GE(got.coverage, .95) << n;
    EXPECT_LT(got.coverage, n == 6 ? .97 : .98) << n;
  }
}

}  // namespace bootstrap_test
}  // namespace kernelgate::stats

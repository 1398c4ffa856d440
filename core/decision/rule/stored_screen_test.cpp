// SPDX-License-Identifier: Apache-2.0
#include "core/decision/rule/stored_screen.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace kernelgate {
namespace stored_screen_test {

// `count` sessions whose levels alternate about log 1000 by `spread`, with two processes each.
std::vector<StoredSession> sessions_of(int count, double spread) {
  std::vector<StoredSession> out;
  for (int i = 0; i < count; ++i) {
    const double level = std::log(1000) + (i % 2 == 0 ? spread : -spread);
    out.push_back({level + .0001, level - .0001});
  }
  return out;
}

Screened screened(double shift, double spread) {
  Quantiles quantiles;
  const double level = std::log(1000) + std::log1p(shift);
  return screen_against_stored(sessions_of(20, spread), std::vector{level, level}, band_of(Policy{}, 1), quantiles)
      .value();
}

TEST(StoredScreen, ClearsFindsOrSendsToPairs) {
  EXPECT_EQ(screened(0, .002).verdict, Verdict::unchanged);
  EXPECT_EQ(screened(.05, .002).verdict, Verdict::regressed);
  EXPECT_EQ(screened(.05, .002).severity, Severity::full);
  EXPECT_EQ(screened(-.05, .002).verdict, Verdict::improved);
  EXPECT_EQ(screened(.025, .004).verdict, Verdict::undecided);
  EXPECT_EQ(screened(0, .02).verdict, Verdict::undecided);  // noisy: nothing can be cleared
}

TEST(StoredScreen, WidthIsThatOfAPrediction) {
  const Screened got = screened(0, .01);
  const double sd = .01 * std::sqrt(20.0 / 19);
  EXPECT_NEAR(got.half_width, 2.860935 * sd * std::sqrt(1 + 1.0 / 20), 1e-7);  // t(.995; 19)
  EXPECT_NEAR(got.shift, 0, 1e-12);
  EXPECT_EQ(got.sessions, 20);
}

TEST(StoredScreen, NeedsTwentySessionsOfTwoProcesses) {
  Quantiles quantiles;
  const Band band = band_of(Policy{}, 1);
  const std::vector<double> head{7.0, 7.0};
  EXPECT_FALSE(screen_against_stored(sessions_of(19, .002), head, band, quantiles).has_value());
  EXPECT_FALSE(screen_against_stored(sessions_of(20, .002), std::vector{7.0}, band, quantiles).has_value());
  std::vector<StoredSession> thin = sessions_of(20, .002);
  thin[3].pop_back();
  EXPECT_FALSE(screen_against_stored(thin, head, band, quantiles).has_value());
  std::vector<StoredSession> bad = sessions_of(20, .002);
  bad[3][0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(screen_against_stored(bad, head, band, quantiles).has_value());
}

}  // namespace stored_screen_test
}  // namespace kernelgate

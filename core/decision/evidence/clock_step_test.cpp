// SPDX-License-Identifier: Apache-2.0
#include "core/decision/evidence/clock_step.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "core/decision/evidence/pairs.hpp"

namespace kernelgate {
namespace clock_step_test {

std::vector<double> timed(double ns, double sd, double step, int count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> out;
  for (int i = 0; i < count; ++i) {
    const double time = ns * std::exp(sd * normal(random));
    out.push_back(step > 0 ? std::round(time / step) * step : time);
  }
  return out;
}

double step_of(const std::vector<double>& samples) { return clock_step_ns(std::vector<std::vector<double>>{samples}); }

TEST(ClockStep, IsFoundWhereSamplesRepeat) {
  EXPECT_NEAR(step_of(timed(800, .02, 32, 50, 1)), 32, 1e-9);
  EXPECT_EQ(step_of(timed(800, .02, 0, 50, 1)), 0);
  EXPECT_EQ(step_of(std::vector<double>(50, 800)), 0) << "one value shows no step";
  EXPECT_EQ(step_of({800, 832, 832, 832, 832}), 0) << "too few";
  EXPECT_EQ(clock_step_ns(std::vector<std::vector<double>>(20, {990, 1000, 1020})), 0) << "not within a process";
}

TEST(ClockStep, AGroupedMedianSeesBetweenSteps) {
  double plain = 0, grouped = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const auto samples = timed(811, .02, 32, 25, seed);
    plain += std::pow(median_log(samples) - std::log(811), 2) / 200;
    grouped += std::pow(grouped_median_log(samples, 32) - std::log(811), 2) / 200;
  }
  EXPECT_LT(std::sqrt(grouped), .008);
  EXPECT_GT(std::sqrt(plain), .012);
}

TEST(ClockStep, APairTableTakesItFromEitherSideByItself) {
  std::vector<Process> processes;
  for (int pair = 0; pair < 2; ++pair)
    for (Side side : {Side::base, Side::head}) {
      Process process;
      process.side = side;
      process.pair = pair;
      process.order = static_cast<int>(processes.size());
      process.series = {{.benchmark = "stepped",
                         .samples_ns = timed(side == Side::base ? 800 : 900, .02, 32, 25, processes.size()),
                         .error = {},
                         .counters = {}},
                        {.benchmark = "constant",
                         .samples_ns = std::vector<double>(25, side == Side::base ? 800 : 832),
                         .error = {},
                         .counters = {}}};
      processes.push_back(std::move(process));
    }
  const PairTable table(processes);
  EXPECT_NEAR(table.clock_step("stepped"), .04, .003);
  EXPECT_EQ(table.clock_step("constant"), 0) << "the sides differ by a change, not by a step";
}

}  // namespace clock_step_test
}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#include "core/decision/rule/noise_signs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "core/decision/decide.hpp"

namespace kernelgate {
namespace noise_signs_test {

using testing::HasSubstr;

// Sixteen pairs in the product's order; `figure` is asked for each process in time.
std::vector<PairTimes> pairs_of(std::uint64_t seed, const std::function<double()>& figure) {
  std::vector<PairTimes> out;
  for (int pair = 0; pair < 16; ++pair) {
    PairTimes times{.pair = pair, .head_first = first_side(seed, "s", 0, pair) == Side::head};
    (times.head_first ? times.head : times.base) = figure();
    (times.head_first ? times.base : times.head) = figure();
    out.push_back(times);
  }
  return out;
}

// In how many of 100 seeds the sign is `words`.
int seen(const std::string& words, const std::function<double(std::mt19937_64&, int)>& figure) {
  int count = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::mt19937_64 random(seed);
    int process = 0;
    const std::string sign = noise_sign(pairs_of(seed, [&] { return figure(random, process++); }), {});
    count += words.empty() ? (sign.empty() ? 1 : 0) : (sign.find(words) != std::string::npos ? 1 : 0);
  }
  return count;
}

double normal(std::mt19937_64& random) { return std::normal_distribution<double>()(random); }

TEST(NoiseSigns, PlainNoiseShowsNone) {
  EXPECT_GE(seen("", [](auto& random, int) { return .01 * normal(random); }), 94);
}

TEST(NoiseSigns, APeriodIsNamed) {
  EXPECT_GE(seen("period of about 4 processes",
                 [](auto& random, int process) {
                   return .005 * normal(random) + .02 * std::cos(std::numbers::pi * process / 2 + 1);
                 }),
            90);
}

TEST(NoiseSigns, TwoModesAreNamed) {
  EXPECT_GE(seen("two modes", [](auto& random, int) { return .001 * normal(random) + (random() % 2 == 0 ? .05 : 0); }),
            95);
}

TEST(NoiseSigns, CorrelatedPairsAreNamed) {
  int count = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::mt19937_64 random(seed);
    double last = normal(random);
    std::vector<PairTimes> pairs;
    for (int pair = 0; pair < 16; ++pair) {
      pairs.push_back({.pair = pair, .base = .002 * normal(random), .head_first = pair % 3 == 0});
      pairs.back().head = pairs.back().base + .01 * last;
      last = .8 * last + .6 * normal(random);
    }
    count += noise_sign(pairs, {}).find("pairs are correlated (0.") != std::string::npos ? 1 : 0;
  }
  EXPECT_GE(count, 20) << "sixteen pairs show it in a part of the runs only";
}

TEST(NoiseSigns, ClockAndRunsAreNamed) {
  std::mt19937_64 random(1);
  const auto pairs = pairs_of(1, [&] { return .004 * normal(random); });
  EXPECT_EQ(noise_sign(pairs, {.clock = .04 * .04 / 6}), "the clock's step is 4.0 % of this kernel");
  KnownNoise known{.stored = StoredVariance{.suite = {}, .benchmark = {}, .variance = 3e-5, .degrees = 60}};
  known.stored->between = .016 * .016;
  EXPECT_EQ(noise_sign(pairs, known), "runs of unchanged code differ by 1.6 %, more than their pairs explain");
}

}  // namespace noise_signs_test
}  // namespace kernelgate

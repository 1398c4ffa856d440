// SPDX-License-Identifier: Apache-2.0

// What every statistic must keep: the order of a sample, the unit of time and which side is called base decide nothing.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "core/stats/cliffs_delta.hpp"
#include "core/stats/false_discovery.hpp"
#include "core/stats/histogram.hpp"
#include "core/stats/hodges_lehmann.hpp"
#include "core/stats/mann_whitney.hpp"
#include "core/stats/quantile_interval.hpp"
#include "core/stats/summary.hpp"
#include "core/stats/thinned.hpp"

namespace kernelgate::stats {
namespace invariance_test {

using Values = std::vector<double>;

Values times(const Values& values, double factor) {
  Values out = values;
  for (double& value : out) value *= factor;
  return out;
}

Values plus(const Values& values, double shift) {
  Values out = values;
  for (double& value : out) value += shift;
  return out;
}

void expect_near(const Interval& a, const Interval& b) {
  EXPECT_NEAR(a.estimate, b.estimate, 1e-9 * (1 + std::abs(a.estimate)));
  EXPECT_NEAR(a.low, b.low, 1e-9 * (1 + std::abs(a.low)));
  EXPECT_NEAR(a.high, b.high, 1e-9 * (1 + std::abs(a.high)));
}

// Samples of 1 to 40 values, with many ties in every other case.
class Draws {
 public:
  explicit Draws(unsigned seed) : has_ties(seed % 2 == 1), random(seed) {}
  Values draw() {
    Values out(1 + random() % 40);
    std::lognormal_distribution<double> any(0, 1);
    for (double& value : out) value = has_ties ? static_cast<double>(1 + random() % 5) : any(random);
    return out;
  }
  Values shuffled(Values values) {
    std::shuffle(values.begin(), values.end(), random);
    return values;
  }
  const bool has_ties;
  std::mt19937 random;
};

void forty_times(const std::function<void(Draws&)>& check) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Draws draws(seed);
    check(draws);
  }
}

TEST(Invariance, OrderDecidesNothing) {
  forty_times([](Draws& draws) {
    const Values a = draws.draw(), b = draws.draw(), c = draws.shuffled(a), d = draws.shuffled(b);
    EXPECT_EQ(median(a).value(), median(c).value());
    EXPECT_EQ(quantile(a, 0.3).value(), quantile(c, 0.3).value());
    EXPECT_NEAR(moments(a)->variance, moments(c)->variance, 1e-12 * (1 + moments(a)->variance));
    EXPECT_EQ(mann_whitney(a, b)->p, mann_whitney(c, d)->p);
    EXPECT_EQ(mann_whitney(a, b)->u, mann_whitney(c, d)->u);
    expect_near(cliffs_delta(a, b).value(), cliffs_delta(c, d).value());
    expect_near(hodges_lehmann(a).value(), hodges_lehmann(c).value());
    expect_near(quantile_interval(a, 0.5)->interval, quantile_interval(c, 0.5)->interval);
    if (a.size() > 6) {
      EXPECT_EQ(thinned(a), thinned(c));
    }
  });
}

TEST(Invariance, TheUnitOfTimeIsAFactorOfFiguresAndNothingElse) {
  forty_times([](Draws& draws) {
    const Values a = draws.draw(), b = draws.draw(), c = times(a, 1024), d = times(b, 1024);  // exact in binary
    EXPECT_EQ(median(c).value(), 1024 * median(a).value());
    EXPECT_EQ(mann_whitney(a, b)->p, mann_whitney(c, d)->p);
    expect_near(cliffs_delta(a, b).value(), cliffs_delta(c, d).value());
    const Interval small = hodges_lehmann(a).value(), large = hodges_lehmann(c).value();
    expect_near(large, {1024 * small.estimate, 1024 * small.low, 1024 * small.high});
    EXPECT_EQ(quantile_interval(a, 0.9)->coverage, quantile_interval(c, 0.9)->coverage);
    EXPECT_NEAR(moments(c)->variance, 1024.0 * 1024.0 * moments(a)->variance, 1e-6 * (1 + moments(c)->variance));
    const auto one = histogram_of(a, b), other = histogram_of(c, d);
    ASSERT_EQ(one.has_value(), other.has_value());
    if (one && !one->is_log) {
      EXPECT_EQ(one->base, other->base);
      EXPECT_EQ(one->head, other->head);
    }
  });
}

TEST(Invariance, AShiftMovesLocationsAndNoRank) {
  forty_times([](Draws& draws) {
    const Values a = draws.draw(), b = draws.draw();
    EXPECT_NEAR(median(plus(a, 8)).value(), median(a).value() + 8, 1e-9);
    const Interval here = hodges_lehmann(a).value(), there = hodges_lehmann(plus(a, 8)).value();
    expect_near(there, {here.estimate + 8, here.low + 8, here.high + 8});
    EXPECT_NEAR(moments(plus(a, 8))->sum_squares, moments(a)->sum_squares, 1e-9 * (1 + moments(a)->sum_squares));
    EXPECT_EQ(mann_whitney(times(a, 2), times(b, 2))->u, mann_whitney(a, b)->u);
  });
}

TEST(Invariance, SwappedSidesMirror) {
  forty_times([](Draws& draws) {
    const Values a = draws.draw(), b = draws.draw();
    const MannWhitney there = mann_whitney(a, b).value(), back = mann_whitney(b, a).value();
    EXPECT_NEAR(there.p, back.p, 1e-12);
    EXPECT_EQ(there.u + back.u, static_cast<double>(a.size() * b.size()));
    const Interval delta = cliffs_delta(a, b).value(), mirrored = cliffs_delta(b, a).value();
    expect_near(delta, {-mirrored.estimate, -mirrored.high, -mirrored.low});
    const auto one = histogram_of(a, b), other = histogram_of(b, a);
    ASSERT_EQ(one.has_value(), other.has_value());
    if (one) {
      EXPECT_EQ(one->base, other->head);
      EXPECT_EQ(one->head, other->base);
    }
  });
}

TEST(Invariance, FiguresLieWhereTheyMust) {
  forty_times([](Draws& draws) {
    const Values a = draws.draw(), b = draws.draw(), ascending = sorted(a);
    for (const double p : {0.0, 0.1, 0.5, 0.9, 1.0}) {
      EXPECT_GE(quantile(a, p).value(), ascending.front());
      EXPECT_LE(quantile(a, p).value(), ascending.back());
    }
    const MannWhitney test = mann_whitney(a, b).value();
    EXPECT_GT(test.p, 0);
    EXPECT_LE(test.p, 1);
    const Interval delta = cliffs_delta(a, b).value();
    EXPECT_LE(-1, delta.low);
    EXPECT_LE(delta.low, delta.estimate);
    EXPECT_LE(delta.estimate, delta.high);
    EXPECT_LE(delta.high, 1);
    EXPECT_NEAR(delta.estimate, 2 * test.u / static_cast<double>(a.size() * b.size()) - 1, 1e-12);
    const Interval middle = hodges_lehmann(a).value();
    EXPECT_LE(ascending.front(), middle.low);
    EXPECT_LE(middle.low, middle.estimate);
    EXPECT_LE(middle.estimate, middle.high);
    EXPECT_LE(middle.high, ascending.back());
    EXPECT_NEAR(median(thinned(a)).value(), median(a).value(), 1e-12);
    if (const auto histogram = histogram_of(a, b)) {
      int counted = 0;
      for (const auto* side : {&histogram->base, &histogram->head})
        for (const int count : *side) counted += count;
      EXPECT_EQ(counted, static_cast<int>(a.size() + b.size()));
    }
  });
}

TEST(Invariance, MoreConfidenceIsNeverNarrower) {
  forty_times([](Draws& draws) {
    const Values a = draws.draw(), b = draws.draw();
    double low = -1e300, high = 1e300;
    for (const double confidence : {0.999, 0.99, 0.95, 0.8, 0.5}) {
      const QuantileInterval found = quantile_interval(a, 0.5, confidence).value();
      EXPECT_GE(found.interval.low, low);
      EXPECT_LE(found.interval.high, high);
      const bool whole = found.interval.low == sorted(a).front() && found.interval.high == sorted(a).back();
      EXPECT_TRUE(whole || found.coverage >= confidence) << found.coverage << " of " << confidence;
      low = found.interval.low;
      high = found.interval.high;
      EXPECT_LE(hodges_lehmann(a, 0.9999)->low, hodges_lehmann(a, confidence)->low);
      EXPECT_GE(hodges_lehmann(a, 0.9999)->high, hodges_lehmann(a, confidence)->high);
    }
  });
}

TEST(Invariance, QValuesKeepTheOrderOfPAndAreNeverBelow) {
  forty_times([](Draws& draws) {
    Values p(1 + draws.random() % 30);
    std::uniform_real_distribution<double> any(0, 1);
    for (double& value : p) value = draws.has_ties ? std::round(10 * any(draws.random)) / 10 : any(draws.random);
    const Values q = benjamini_hochberg(p).value();
    ASSERT_EQ(q.size(), p.size());
    for (std::size_t i = 0; i < p.size(); ++i) {
      EXPECT_GE(q[i], p[i] - 1e-12);
      EXPECT_LE(q[i], std::min(1.0, p[i] * static_cast<double>(p.size())) + 1e-12);
      for (std::size_t j = 0; j < p.size(); ++j) EXPECT_TRUE(p[i] > p[j] || q[i] <= q[j]) << p[i] << " " << p[j];
    }
  });
}

}  // namespace invariance_test
}  // namespace kernelgate::stats

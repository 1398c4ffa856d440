// SPDX-License-Identifier: Apache-2.0
#include "core/wire/shown.hpp"

#include <gtest/gtest.h>

#include "tests/support/round_trip.hpp"

namespace kernelgate::wire {
namespace shown_test {

TEST(ShownCodec, RoundTrips) {
  const PairFigures pairs{
      .pairs = {{.pair = 1, .ratio = 1.5, .base_median_ns = 2, .head_median_ns = 3, .head_first = true}}};
  expect_round_trip(pairs);
  const ComparedRuns runs{.base = 1,
                          .head = 2,
                          .pairing = "paired",
                          .benchmarks = {{.suite = "s",
                                          .benchmark = "b",
                                          .pairing = "paired",
                                          .verdict = "regressed",
                                          .ratio = 1.5,
                                          .ratio_low = 1.25,
                                          .ratio_high = 1.75,
                                          .base_median_ns = 2,
                                          .head_median_ns = 3,
                                          .tolerate = 0.25,
                                          .catch_limit = 0.5}},
                          .verdicts = {{.verdict = Verdict::regressed, .count = 1, .failure = true}}};
  expect_round_trip(runs);
}

}  // namespace shown_test
}  // namespace kernelgate::wire

// SPDX-License-Identifier: Apache-2.0
#include "core/wire/shown.hpp"

#include <gtest/gtest.h>

#include "tests/support/round_trip.hpp"

namespace kernelgate::wire {
namespace shown_test {

TEST(ShownCodec, RoundTrips) {
  const PairFigures pairs{
      .pairs = {{.pair = 1, .ratio = 1.5, .base_median_ns = 2, .head_median_ns = 3, .head_first = true}},
      .histogram = SampleHistogram{.low_ns = 1,
                                   .high_ns = 2,
                                   .has_above = true,
                                   .is_log = true,
                                   .base = {3, 4},
                                   .head = {5},
                                   .base_median_at = 0.25,
                                   .head_median_at = 0.5}};
  expect_round_trip(pairs);
  const ComparedRuns runs{.base = 1,
                          .head = 2,
                          .pairing = Pairing::paired,
                          .benchmarks = {{.suite = "s",
                                          .benchmark = "b",
                                          .pairing = Pairing::paired,
                                          .verdict = Verdict::regressed,
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

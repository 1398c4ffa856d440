// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a machine found when it timed a repository's suites against themselves, and sends to a server. Plain structs;
// codec.hpp turns them into JSON and back.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/units/time.hpp"
#include "core/wire/messages.hpp"

namespace kernelgate::wire {

// One benchmark at one injected slowdown (0: a program against itself).
struct CalibratedBenchmark {
  std::string suite, benchmark;
  double injected = 0;  // fraction of the work
  int pairs = 0;
  double ratio = 1, ratio_low = 1, ratio_high = 1;  // of time, over all pairs, with its 99 % interval
  double sum_squares = 0;                           // of the pairs' log ratios about their mean
  int degrees = 0;
  double detectable = 0;  // fraction: the least shift that max_pairs distinguish from none
  double tolerate = 0, catch_limit = 0;
  // Verdicts of the rule, each on pairs of its own.
  int trials = 0, regressed = 0, improved = 0, unchanged = 0, undecided = 0, suspected = 0;
};

struct CalibrationUpload {
  std::string repository;
  TestbedFacts testbed;
  std::string commit;  // full hash
  int rule_version = 0;
  std::string program;
  std::vector<CalibratedBenchmark> benchmarks;
};
struct CalibrationReply {
  std::int64_t epoch = 0;
  std::vector<std::string> quarantined;  // by this one: "suite: benchmark: why"
};

// What the last calibration of an epoch found.
struct CalibratedFigures {
  std::string suite, benchmark;
  double injected = 0;
  int pairs = 0;
  double ratio = 1, ratio_low = 1, ratio_high = 1;
  std::optional<double> noise;  // standard deviation of a pair's log ratio
  double detectable = 0;
  int trials = 0, regressed = 0, undecided = 0;
};
struct Calibration {
  std::string commit;
  Instant calibrated_at{};
  std::string program;
  std::vector<CalibratedFigures> benchmarks;
};
struct CalibrationAnswer {
  std::optional<Calibration> calibration;
};

}  // namespace kernelgate::wire

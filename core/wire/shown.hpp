// SPDX-License-Identifier: Apache-2.0
#pragma once

// What pages draw and would else have to compute: the pairs of one benchmark, and two runs compared with each other.
// Plain structs; codec.hpp turns them into JSON and back.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/wire/messages.hpp"

namespace kernelgate::wire {

// One pair as the decision counted it.
struct PairFigure {
  int pair = 0;
  double ratio = 1;                               // head over base
  double base_median_ns = 0, head_median_ns = 0;  // of the two processes
  bool head_first = false;                        // in time
};
struct PairFigures {
  std::vector<PairFigure> pairs;  // in the order of their numbers
};

struct ComparedBenchmark {
  std::string suite, benchmark;
  std::string pairing;                                       // paired, common_base or not_paired
  std::string verdict;                                       // empty: no run gave one
  std::optional<double> ratio{}, ratio_low{}, ratio_high{};  // head over base
  std::optional<double> base_median_ns{}, head_median_ns{};
  double tolerate = 0, catch_limit = 0;
};
struct ComparedRuns {
  std::int64_t base = 0, head = 0;  // runs
  std::string pairing;              // of the two runs: the best that a benchmark can have
  std::vector<ComparedBenchmark> benchmarks;
  std::vector<VerdictCount> verdicts{};  // in reading order
};

}  // namespace kernelgate::wire

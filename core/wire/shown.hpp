// SPDX-License-Identifier: Apache-2.0
#pragma once

// What pages draw and would else have to compute: the pairs of one benchmark, and two runs compared with each other.
// Plain structs; codec.hpp turns them into JSON and back.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/decision/explain/compare_runs.hpp"
#include "core/wire/messages.hpp"

namespace kernelgate::wire {

// One pair as the decision counted it.
struct PairFigure {
  int pair = 0;
  double ratio = 1;                               // head over base
  double base_median_ns = 0, head_median_ns = 0;  // of the two processes
  bool head_first = false;                        // in time
};
// Samples of both sides in equal bins between two times; the last bin holds what lies above.
struct SampleHistogram {
  double low_ns = 0, high_ns = 0;
  bool has_above = false, is_log = false;
  std::vector<int> base, head;
  std::optional<double> base_median_at, head_median_at;  // 0 at low_ns, 1 at high_ns
};
struct PairFigures {
  std::vector<PairFigure> pairs;               // in the order of their numbers
  std::optional<SampleHistogram> histogram{};  // none: too few samples
};

struct ComparedBenchmark {
  std::string suite, benchmark;
  Pairing pairing = Pairing::not_paired;
  std::optional<Verdict> verdict{};                          // none: no run gave one
  std::optional<double> ratio{}, ratio_low{}, ratio_high{};  // head over base
  std::optional<double> base_median_ns{}, head_median_ns{};
  double tolerate = 0, catch_limit = 0;
};
struct ComparedRuns {
  std::int64_t base = 0, head = 0;        // runs
  Pairing pairing = Pairing::not_paired;  // of the two runs: the best that a benchmark can have
  std::vector<ComparedBenchmark> benchmarks;
  std::vector<VerdictCount> verdicts{};  // in reading order
};

}  // namespace kernelgate::wire

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What commands print with --format json: the API's messages and what only the command knows. print of codec.hpp
// writes each.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/decision/evidence/attempt_outcome.hpp"
#include "core/wire/messages.hpp"

namespace kernelgate::wire {

// A comparison, and after how many pairs live stopping would have decided it.
struct PrintedComparison {
  Comparison comparison;  // its members stand beside live_pair
  std::optional<int> live_pair;
};

struct PrintedCost {
  double gpu_s_held = 0, gpu_s_used = 0, seconds_saved = 0;
  std::optional<double> price_per_hour, cost_held, cost_used;
};

struct PrintedLive {
  int pairs = 0, processes = 0, given_pairs = 0, given_processes = 0, open = 0;
};

struct ReportDocument {
  int schema = 1;
  Conclusion conclusion = Conclusion::passed;
  int exit_code = 0;
  std::string title, reason, summary;
  std::vector<std::string> notices;
  double expected_false_alarms = 0;
  std::optional<double> gpu_s, wall_s;
  std::optional<PrintedCost> cost;
  std::vector<PrintedComparison> comparisons;
  std::optional<PrintedLive> live;
  std::vector<WorkloadResult> workloads;
  std::vector<RegionResult> regions;
};

// kernelgate sweep
struct PrintedPoint {
  std::map<std::string, std::string> point;  // values by axis
  AttemptOutcome outcome = AttemptOutcome::not_measured;
  bool failed = false;
  std::optional<double> ratio;  // of the point over the reference
  int benchmarks = 0;
  double gpu_s = 0;
  std::int64_t run = 0;  // in the local store
  std::string text;
};
struct PrintedSweep {
  std::string suite, commit;
  std::string best;  // name of the fastest point that works
  std::vector<std::string> constraints;
  std::vector<PrintedPoint> points;  // the reference first
};
struct SweepDocument {
  int schema = 1;
  std::vector<PrintedSweep> sweeps;
};

// kernelgate characterize
struct BenchmarkFigures {
  std::string benchmark;
  int samples = 0, processes = 0;
  double median_ns = 0;            // of the process medians
  double low_ns = 0, high_ns = 0;  // two order statistics of the process medians
  double coverage = 0;             // of that interval: at least 95 % where there are enough processes
  double spread_within = 0;        // median over processes of the interquartile range / median
  double spread_between = 0;       // standard deviation of the logs of the processes' medians
  std::optional<RoofPosition> roof;
  std::string impossible;                  // faster than the hardware can be: why
  double sm_mhz_low = 0, sm_mhz_high = 0;  // as the benchmark measured it; 0: it did not
  std::string error;                       // of a benchmark that gave no samples
};
struct CheckFigures {
  int cases = 0, failed = 0;
  double worst_rel_err = 0;
  std::string text;  // of the first failure
};
struct SuiteFigures {
  std::string suite, commit, testbed;
  std::vector<BenchmarkFigures> benchmarks;
  CheckFigures checks;
  int disturbed = 0, processes = 0;
  double gpu_s = 0, price = 0;  // price: in the currency of the price per hour; 0: none was given
  std::vector<std::string> notes;
};
struct CharacterizeDocument {
  int schema = 1;
  std::vector<SuiteFigures> suites;
};

// kernelgate simulate; rates are fractions of the trials.
struct PrintedRates {
  std::string rule;
  double true_shift = 0;
  int trials = 0;
  double regressed = 0, improved = 0, unchanged = 0, undecided = 0, suspected = 0;
  double processes = 0;
  double regressed_low = 0, regressed_high = 0;
  std::optional<double> estimate, estimate_regressed;
};
struct SimulationDocument {
  int schema = 1;
  std::uint64_t seed = 0;
  double noise = 0;
  bool history = false;
  double stored_variance_factor = 0;
  std::vector<PrintedRates> results;
};

// kernelgate replay
enum class Sameness {
  bytes,    // the decision's document is the stored one, byte for byte
  figures,  // the same verdicts, looks and 12 digits
  differs,
};
void spelled_as_named(Sameness);
struct ReplayDocument {
  int schema = 1;
  std::int64_t run = 0;
  Sameness same = Sameness::differs;
  int exit_code = 0;
  std::string thinned_at, decided_by, replayed_by;
  int rule_version = 0;
  std::vector<std::string> differences;
  RunDecision decision;
};

}  // namespace kernelgate::wire

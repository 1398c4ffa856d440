// SPDX-License-Identifier: Apache-2.0
#pragma once

// How one commit's benchmarks behave on this machine, in figures. Pure.

#include <optional>
#include <string>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/evidence.hpp"

namespace kernelgate::local {

struct BenchmarkFigures {
  std::string benchmark;
  int samples = 0, processes = 0;
  double median_ns = 0;            // of the process medians
  double low_ns = 0, high_ns = 0;  // two order statistics of the process medians
  double coverage = 0;             // of that interval: at least 95 % where there are enough processes
  double within = 0;               // spread inside a process: median over processes of the interquartile range / median
  double between = 0;              // spread between processes: standard deviation of the logs of their medians
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
  int disturbed = 0, processes = 0;  // processes
  double gpu_s = 0, price = 0;       // price: in the currency of the price per hour; 0: none was given
  std::vector<std::string> notes;
};

// From `evidence.processes` (head's), its checks and failures.
[[nodiscard]] SuiteFigures figures_of(const SuiteEvidence& evidence, const std::optional<Ceilings>& ceilings);

[[nodiscard]] std::string characterize_markdown(const std::vector<SuiteFigures>& suites);
[[nodiscard]] std::string characterize_json(const std::vector<SuiteFigures>& suites);

}  // namespace kernelgate::local

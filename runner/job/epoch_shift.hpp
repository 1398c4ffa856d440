// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a change of the testbed did to times: figures of the epoch before and of now, and what they say. Pure.
// Private to runner/job.

#include <optional>
#include <string>
#include <vector>

#include "core/units/result.hpp"
#include "core/wire/epochs.hpp"
#include "core/wire/messages.hpp"

namespace kernelgate {

// Taken at an epoch's start and kept in a file.
struct EpochFigures {
  wire::TestbedFacts facts;
  std::string commit;  // of the anchored baseline; empty: none
  std::string build;   // key of its build
  std::vector<wire::EpochFigure> control, anchored;
};

[[nodiscard]] std::string encode_figures(const EpochFigures& figures);
[[nodiscard]] Result<EpochFigures> decode_figures(const std::string& text);

[[nodiscard]] bool same_facts(const wire::TestbedFacts& a, const wire::TestbedFacts& b);
// "driver 580 -> 590, toolkit 13.0 -> 13.1"
[[nodiscard]] std::string changed_facts(const wire::TestbedFacts& before, const wire::TestbedFacts& now);

// A benchmark's shift: all of it, the environment's part, and the rest, which is its own code under the new one.
struct BenchmarkShift {
  std::string suite, benchmark;
  double total = 1, environment = 1, rest = 1;  // ratios of time, now over before
};

struct EpochShift {
  std::string changed;             // facts
  bool kept = true;                // the anchored benchmarks are the very binaries of before
  std::optional<double> control;   // median ratio of the control kernels
  std::optional<double> anchored;  // median ratio of the anchored benchmarks
  std::vector<BenchmarkShift> benchmarks;
};

// The environment's part is the control kernels' ratio; without a control suite, the anchored benchmarks' median.
[[nodiscard]] EpochShift compare_epochs(const EpochFigures& before, const EpochFigures& now, bool kept);

// One sentence on the whole, then one for each of the benchmarks (five at most) that moved on its own by over 2 %.
[[nodiscard]] std::vector<std::string> describe(const EpochShift& shift);

}  // namespace kernelgate

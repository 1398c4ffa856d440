// SPDX-License-Identifier: Apache-2.0
#pragma once

// Figures of runs that pages draw as they are.

#include <string_view>
#include <utility>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/wire/shown.hpp"
#include "db/runs/runs.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

// Each pair of one benchmark. not_found: the run compared no such benchmark.
[[nodiscard]] Result<wire::PairFigures> pair_figures(Store store, RunId run, std::string_view suite,
                                                     std::string_view benchmark);

struct MeasuredRun {
  db::Run run;
  std::vector<Comparison> comparisons;  // or those of the run whose verdict it reuses
};
[[nodiscard]] Result<std::pair<MeasuredRun, MeasuredRun>> measured_runs(Store store, RunId base, RunId head);

}  // namespace kernelgate::service

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a change means for what production runs: the benchmarks of a [[workload]] as one figure. Fails no run; the
// verdicts of the benchmarks do.
//
// With weights w (how often production runs each), base medians b, and log ratios m of the comparisons, the ratio of
// the total time is R = sum(w b exp(m)) / sum(w b). By the delta method a small error e of m moves ln R by g e, with
// g = w b exp(m) / sum(w b exp(m)). Benchmarks share their processes, so their errors may go together, and nothing here
// knows how far: the half width of ln R is sum(g h), h the half width of each, which holds whatever their correlation.
// So a workload of benchmarks that are all unchanged is itself unchanged.

#include <string>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/policy.hpp"

namespace kernelgate {

// One result for each workload of the policy that names a benchmark of these comparisons, in the policy's order; by the
// policy's own band. Undecided where a benchmark that it names has no time: then the ratio is that of the others. A
// benchmark that head adds counts for nothing.
[[nodiscard]] std::vector<WorkloadResult> judge_workloads(const std::vector<Comparison>& comparisons,
                                                          const Policy& policy);

// "workload decode: -1.20 % [-2.00 %, -0.40 %], improved (4 benchmarks)"
[[nodiscard]] std::string workload_text(const WorkloadResult& workload);

}  // namespace kernelgate

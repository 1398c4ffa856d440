// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a run that was stopped had measured, for the next run of the same programs to go on from. Private to runner/job.

#include <string>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "runner/job/job.hpp"

namespace kernelgate {

// The same for runs whose processes belong to one measurement: builds, manifest, machine. Empty where there is no base.
[[nodiscard]] std::string samples_key(const Build* base, const Build& head, const std::string& manifest_text,
                                      const MachineFacts& machine);

// A suite's processes whose pair is whole, with ids of their own; in the order they were started.
[[nodiscard]] std::vector<Process> whole_pairs(const std::vector<Process>& processes, const std::string& suite);

// Leaves out the suites of which nothing is known yet, so that the rest can be judged.
void drop_unmeasured(RunEvidence& evidence);

}  // namespace kernelgate

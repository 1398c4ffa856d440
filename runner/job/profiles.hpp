// SPDX-License-Identifier: Apache-2.0
#pragma once

// Nsight Compute on both sides of what regressed. The raw pages are reported as logs of the run.

#include <string>
#include <vector>

#include "core/manifest/manifest.hpp"
#include "runner/code/profile.hpp"
#include "runner/job/job.hpp"
#include "runner/measure/measure.hpp"

namespace kernelgate {

class JobStage;

// One benchmark of one side alone. Errc::unsupported: no profiler, or it cannot count here.
[[nodiscard]] Result<gpu::Profile> profile_side(const JobMachine& machine, const SuiteSpec& spec,
                                                const MeasuredSide& side, const std::string& benchmark,
                                                const std::stop_token& stop);

// The same on both sides, each built as for a run with that base. `request.only_suite` names the suite. Before anything
// is built it is known whether there is a profiler.
struct ProfiledPair {
  KernelProfile base, head;
};
[[nodiscard]] Result<ProfiledPair> profile_pair(const JobMachine& machine, const JobRequest& request,
                                                const CommitHash& base, const std::string& benchmark,
                                                const std::stop_token& stop);

// Fills evidence.profiles of the benchmarks that regressed most. On a machine without a GPU nothing is done; a GPU
// whose counters cannot be read is a notice.
[[nodiscard]] Status profile_regressions(JobStage& stage, const MeasureRequest& request, SuiteEvidence& evidence,
                                         std::vector<std::string>& notices);

}  // namespace kernelgate

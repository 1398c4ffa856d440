// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks and measures each suite of two builds. Private to runner/job.

#include <optional>
#include <vector>

#include "runner/job/builds.hpp"

namespace kernelgate {

struct SuiteBuilds {
  const Build* base = nullptr;  // null: there is no base
  const Build* head = nullptr;
};

// Whether this machine has what the suites need: asked before anything is built.
[[nodiscard]] Status meet_needs(const JobStage& stage, const EffectiveManifest& effective_manifest);

// Fills result.evidence.suites and the seconds that were timed. First the checks of every suite, then
// the timing of those whose checks pass.
[[nodiscard]] Status judge_suites(JobStage& stage, const EffectiveManifest& effective_manifest,
                                  const SuiteBuilds& builds, JobResult& result);

}  // namespace kernelgate

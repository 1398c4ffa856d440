// SPDX-License-Identifier: Apache-2.0
#pragma once

// What moved while base and head chose different configurations is timed in a few more pairs with one configuration on
// both sides, so that a slower choice is distinguished from a slower kernel. Private to runner/job.

#include "runner/job/stage.hpp"
#include "runner/measure/measure.hpp"

namespace kernelgate {

// Fills evidence.pinned. The pairs' processes are no evidence of the verdict: `hooks` counts them, the reporter does
// not get them. Takes what is left of request.policy.gpu_seconds after evidence.processes.
[[nodiscard]] Status measure_pinned(JobStage& stage, const MeasureRequest& request, SuiteEvidence& evidence,
                                    std::vector<std::string>& notices, const MeasureHooks& hooks);

}  // namespace kernelgate

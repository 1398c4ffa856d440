// SPDX-License-Identifier: Apache-2.0
#pragma once

// What came of a suite's failures: the kind of each crash in words, and one more run under compute-sanitizer that names
// kernel, line and thread. Private to runner/job.

#include <vector>

#include "runner/job/suites.hpp"

namespace kernelgate {

// Adds to the texts of evidence.failures. Nothing is run again where the machine has no sanitizer.
[[nodiscard]] Status explain_failures(JobStage& stage, const SuiteSpec& spec, const SuiteBuilds& builds,
                                      SuiteEvidence& evidence);

// The tools that the manifest asks for, over head's check program; what they find fails the suite's checks.
[[nodiscard]] Status run_sanitizers(JobStage& stage, const SanitizerSpec& tools, const SuiteSpec& spec,
                                    const Build& head, SuiteEvidence& evidence, std::vector<std::string>& notices);

}  // namespace kernelgate

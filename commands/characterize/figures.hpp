// SPDX-License-Identifier: Apache-2.0
#pragma once

// How one commit's benchmarks behave on this machine, in figures. Pure.

#include <optional>
#include <string>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/evidence.hpp"
#include "core/wire/report_document.hpp"

namespace kernelgate::local {

using wire::BenchmarkFigures, wire::CheckFigures, wire::SuiteFigures;

// From `evidence.processes` (head's), its checks and failures.
[[nodiscard]] SuiteFigures figures_of(const SuiteEvidence& evidence, const std::optional<Ceilings>& ceilings);

[[nodiscard]] std::string characterize_markdown(const std::vector<SuiteFigures>& suites);
[[nodiscard]] std::string characterize_json(const std::vector<SuiteFigures>& suites);

}  // namespace kernelgate::local

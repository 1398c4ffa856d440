// SPDX-License-Identifier: Apache-2.0
#pragma once

// Histories and lists of runs as text. Pure. Foreign names come out harmless. Each ends with a line break.

#include <span>
#include <string>
#include <vector>

#include "commands/output/report.hpp"
#include "core/wire/history.hpp"
#include "core/wire/messages.hpp"

namespace kernelgate::browse {

[[nodiscard]] std::string to_table(const std::vector<wire::BenchmarkHistory>& histories,
                                   const report::TableStyle& style);
// {"schema":1,"histories":[BenchmarkHistory …]}
[[nodiscard]] std::string to_json(const std::vector<wire::BenchmarkHistory>& histories);
// One line a point; the column `finding` names the change or the creep that begins there.
[[nodiscard]] std::string to_csv(const std::vector<wire::BenchmarkHistory>& histories);

// Rows of equally many cells, the first of them the head; what is too wide is cut in the last column.
[[nodiscard]] std::string aligned(const std::vector<std::vector<std::string>>& rows, const report::TableStyle& style);

[[nodiscard]] std::string to_table(const std::vector<wire::Run>& runs, const report::TableStyle& style);
// {"schema":1,"runs":[Run …]}
[[nodiscard]] std::string to_json(const std::vector<wire::Run>& runs);

}  // namespace kernelgate::browse

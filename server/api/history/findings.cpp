// SPDX-License-Identifier: Apache-2.0
#include "server/api/history/findings.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/decision/explain/reason.hpp"
#include "db/runs/comparisons.hpp"
#include "server/api/pages/html.hpp"

namespace kernelgate::api {
namespace {

std::string change(const std::optional<double>& ratio) { return ratio ? percent(*ratio) : "–"; }

std::string listed(const std::vector<std::string>& trades) {
  std::string out;
  for (const std::string& trade : trades) out += (out.empty() ? "" : "<br>") + escape_html(trade);
  return out.empty() ? "–" : out;
}

std::string workload_row(const WorkloadResult& one) {
  const std::string interval = one.ratio ? change(one.low) + " to " + change(one.high) : "–";
  return html_row({{"workload", escape_html(one.name)},
                   {"verdict", escape_html(to_string(one.verdict)), css_class(one.verdict)},
                   {"change", change(one.ratio)},
                   {"interval", interval},
                   {"benchmarks", fmt::format("{} of {} timed", one.timed, one.benchmarks)},
                   {"gains", listed(one.gains)},
                   {"losses", listed(one.losses)}});
}

std::string region_row(const RegionResult& one) {
  return html_row({{"part", "<code>" + escape_html(one.suite + ": " + one.text) + "</code>"},
                   {"verdict", escape_html(to_string(one.verdict)), css_class(one.verdict)},
                   {"change", change(one.median_ratio)},
                   {"benchmarks", fmt::format("{} of {}", one.moved, one.members)},
                   {"elsewhere", std::to_string(one.others_moved)}});
}

template <class Rows, class Row>
std::string table_of(const std::string& title, const std::vector<std::string_view>& columns, const Rows& rows,
                     Row row_html) {
  if (rows.empty()) return {};
  std::string out = "<h2>" + title + "</h2>\n<table>\n" + html_head(columns) + "<tbody>\n";
  for (const auto& row : rows) out += row_html(row);
  return out + "</tbody>\n</table>\n";
}

}  // namespace

RunFindings findings_of(db::Connection& connection, RunId run) {
  RunDecision decision = db::stored_decision(connection, run);
  return {.workloads = std::move(decision.workloads), .regions = std::move(decision.regions)};
}

std::string findings_html(const RunFindings& findings) {
  return table_of("Workloads", {"workload", "verdict", "change", "interval", "benchmarks", "gains", "losses"},
                  findings.workloads, workload_row) +
         table_of("Moved together", {"part", "verdict", "change", "benchmarks", "elsewhere"}, findings.regions,
                  region_row);
}

}  // namespace kernelgate::api

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "core/decision/explain/reason.hpp"
#include "core/decision/explain/workloads.hpp"
#include "core/report/cells.hpp"
#include "core/report/report.hpp"
#include "core/report/rows.hpp"
#include "core/report/text.hpp"

namespace kernelgate::report {
namespace {

constexpr std::size_t kKernelsShown = 3;  // in a cell of a table

std::string row_of(const Comparison& c) {
  std::string words = times_cell(c);
  if (!c.reason.empty()) words += (words.empty() ? "" : "; ") + markdown_escape(c.reason);
  if (const std::string more = evidence_text(c); !more.empty())
    words += (words.empty() ? "" : "; ") + markdown_escape(more);
  for (const std::string& kernel : kernel_lines(c, kKernelsShown)) words += "<br>" + markdown_escape(kernel);
  if (!c.fingerprint.empty()) words += fmt::format(" (fingerprint {})", markdown_escape(c.fingerprint));
  const std::string name = c.suite.empty() ? c.benchmark : c.suite + ": " + c.benchmark;
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", markdown_escape(name), markdown_escape(verdict_cell(c)),
                     direction_cell(c), markdown_escape(ratio_cell(c)), markdown_escape(significance_cell(c)),
                     pairs_cell(c), words);
}

std::string workload_item(const WorkloadResult& workload) {
  std::string out = fmt::format("\n- {}\n", markdown_escape(workload_text(workload)));
  for (const auto& [word, trades] : {std::pair("gains", &workload.gains), std::pair("losses", &workload.losses)})
    if (!trades->empty())
      out += fmt::format("  - {}: {}\n", word, markdown_escape(fmt::format("{}", fmt::join(*trades, ", "))));
  return out;
}

}  // namespace

std::string to_markdown(const Report& report, std::size_t rows_most) {
  const RunDecision& decision = report.decision;
  std::string out;
  if (!report.title.empty()) out += fmt::format("### {}\n\n", markdown_escape(report.title));
  const std::string conclusion = markdown_escape(to_string(decision.conclusion));
  out += fmt::format("**{}**: {}", conclusion, markdown_escape(words_of(decision)));
  out += "\n";
  for (const std::string& notice : decision.notices) out += fmt::format("\n> {}\n", markdown_escape(notice));
  for (const WorkloadResult& workload : decision.workloads) out += workload_item(workload);
  if (decision.comparisons.empty()) return out;
  out += "\n| benchmark | verdict | direction | head/base, 99 % interval | significance | pairs | reason |\n";
  out += "|---|---|---|---|---|--:|---|\n";
  const Rows rows = rows_of(decision.comparisons, rows_most);
  for (const Comparison& c : rows.shown) out += row_of(c);
  for (const std::string& family : rows.hidden) out += fmt::format("\n- {}", markdown_escape(family));
  if (!rows.hidden.empty()) out += "\n";
  return out;
}

}  // namespace kernelgate::report

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "commands/output/report.hpp"
#include "core/decision/explain/reason.hpp"
#include "core/decision/explain/workloads.hpp"
#include "core/report/cells.hpp"
#include "core/report/rows.hpp"
#include "core/report/text.hpp"

namespace kernelgate::report {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kNameLeast = 12;
constexpr std::size_t kKernelsShown = 8;
constexpr std::string_view kIndent = "    ";

enum class Colour { none, red, green, yellow, dim, bold };

std::string paint(std::string text, Colour colour, bool enabled) {
  constexpr std::array<const char*, 6> kCodes{"", "31", "32", "33", "2", "1"};
  if (!enabled || colour == Colour::none) return text;
  return fmt::format("\x1B[{}m{}\x1B[0m", kCodes[static_cast<std::size_t>(colour)], text);
}

Colour colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::regressed:
    case Verdict::broken:
    case Verdict::crashed:
    case Verdict::timed_out:
    case Verdict::invalid: return Colour::red;
    case Verdict::improved: return Colour::green;
    case Verdict::undecided:
    case Verdict::suspected:
    case Verdict::missing: return Colour::yellow;
    case Verdict::identical: return Colour::dim;
    case Verdict::unchanged:
    case Verdict::added: return Colour::none;
  }
  return Colour::none;
}

Colour colour_of(Conclusion conclusion) {
  switch (exit_code(conclusion)) {
    case 0: return Colour::green;
    case 1: return Colour::red;
    default: return Colour::yellow;
  }
}

// The columns beside the name; each is as wide as its widest cell.
constexpr std::array<const char*, 5> kHeads{"verdict", "direction", "head/base [99 %]", "significance", "pairs"};

struct Row {
  std::string name;
  std::array<std::string, 5> cells;
  std::string detail;
  std::string histogram;
  std::vector<std::string> kernels{};
  Colour colour = Colour::none;
};

// Counts from the fastest to the slowest sample; both sides share the bins.
std::string histogram_of(const DistributionChange& change) {
  const auto side = [](const std::vector<int>& counts) {
    const int most = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
    std::vector<double> shares;
    for (const int count : counts) shares.push_back(static_cast<double>(count) / std::max(1, most));
    return bars(shares);
  };
  return fmt::format("{} to {}: base {} head {}", duration(change.low_ns), duration(change.high_ns),
                     side(change.base_counts), side(change.head_counts));
}

bool needs_words(Verdict verdict) { return verdict != Verdict::unchanged && verdict != Verdict::identical; }

Row row_of(const Comparison& c, bool with_suite) {
  Row row;
  row.name = harmless(with_suite && !c.suite.empty() ? c.suite + ": " + c.benchmark : c.benchmark);
  row.cells = {verdict_cell(c), direction_cell(c), ratio_cell(c), significance_cell(c), pairs_cell(c)};
  row.colour = colour_of(c.verdict);
  if (c.distribution) row.histogram = histogram_of(*c.distribution);
  for (const std::string& kernel : kernel_lines(c, kKernelsShown)) row.kernels.push_back(harmless(kernel));
  if (!needs_words(c.verdict) && c.clock != ClockKind::device) return row;
  row.detail = times_cell(c);
  if (!c.reason.empty()) row.detail += (row.detail.empty() ? "" : "; ") + harmless(c.reason);
  if (const std::string more = evidence_text(c); !more.empty())
    row.detail += (row.detail.empty() ? "" : "; ") + harmless(more);
  if (!c.fingerprint.empty()) row.detail += fmt::format(" [fingerprint {}]", harmless(c.fingerprint));
  return row;
}

std::string line_of(const Row& row, std::size_t name_width, const std::array<std::size_t, 5>& widths, bool colour) {
  std::string out = pad_right(shorten(row.name, name_width), name_width);
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const bool last = i + 1 == row.cells.size();
    const std::string cell = last ? pad_left(row.cells[i], widths[i]) : pad_right(row.cells[i], widths[i]);
    out += std::string(kGap, ' ') + (i == 0 ? paint(cell, row.colour, colour) : cell);
  }
  return out + "\n";
}

std::string indented(std::string_view text, const TableStyle& style) {
  std::string out;
  for (const std::string& line : wrap(text, style.columns - kIndent.size())) {
    out += kIndent;
    out += line + "\n";
  }
  return out;
}

std::string rows_text(const std::vector<Row>& rows, const TableStyle& style) {
  std::array<std::size_t, 5> widths{};
  for (std::size_t i = 0; i < kHeads.size(); ++i) widths[i] = width(kHeads[i]);
  std::size_t longest = width("benchmark"), beside = 0;
  for (const Row& row : rows) {
    longest = std::max(longest, width(row.name));
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], width(row.cells[i]));
  }
  for (const std::size_t cell : widths) beside += cell + kGap;
  const std::size_t room = style.columns > beside + kNameLeast ? style.columns - beside : kNameLeast;
  const std::size_t name_width = std::min(longest, room);

  Row head{.name = "benchmark", .cells = {}, .detail = {}, .histogram = {}, .kernels = {}, .colour = Colour::none};
  std::copy(kHeads.begin(), kHeads.end(), head.cells.begin());
  std::string out = line_of(head, name_width, widths, false);
  for (const Row& row : rows) {
    out += line_of(row, name_width, widths, style.colour);
    out += indented(row.detail, style) + indented(row.histogram, style);
    for (const std::string& kernel : row.kernels) out += indented(kernel, style);
  }
  return out;
}

std::string wrapped(std::string_view text, std::size_t columns) {
  std::string out;
  for (const std::string& line : wrap(harmless(text), columns)) out += line + "\n";
  return out;
}

// "regressed: 1 regressed (gemm/64 +4.99 %), 2 unchanged"
std::string conclusion_line(const RunDecision& decision, const TableStyle& style) {
  const std::string word(to_string(decision.conclusion));
  const std::string line = wrapped(word + ": " + words_of(decision), style.columns);
  return paint(word, colour_of(decision.conclusion), style.colour) + line.substr(word.size());
}

// The workload's figure, and what gained and lost in it.
std::string workload_lines(const WorkloadResult& workload, const TableStyle& style) {
  std::string out = wrapped(workload_text(workload), style.columns);
  for (const auto& [word, trades] : {std::pair("gains: ", &workload.gains), std::pair("losses: ", &workload.losses)})
    if (!trades->empty()) out += indented(harmless(fmt::format("{}{}", word, fmt::join(*trades, ", "))), style);
  return out;
}

}  // namespace

std::string to_table(const Report& report, const TableStyle& style) {
  const RunDecision& decision = report.decision;
  const bool many_suites =
      std::any_of(decision.comparisons.begin(), decision.comparisons.end(),
                  [&](const Comparison& c) { return c.suite != decision.comparisons.front().suite; });
  std::string out;
  if (!report.title.empty()) out += wrapped(report.title, style.columns);
  const Rows table = rows_of(decision.comparisons, style.all ? decision.comparisons.size() : kRowsMost);
  std::vector<Row> rows;
  for (const Comparison& c : table.shown) rows.push_back(row_of(c, many_suites));
  if (!rows.empty()) out += rows_text(rows, style);
  if (!table.hidden.empty()) out += "not shown (--all shows every row):\n";
  for (const std::string& family : table.hidden) out += indented(family, style);
  if (!decision.comparisons.empty()) out += "\n";
  for (const WorkloadResult& workload : decision.workloads) out += workload_lines(workload, style);
  out += conclusion_line(decision, style);
  for (const std::string& notice : decision.notices) out += wrapped("note: " + notice, style.columns);
  std::string costs;
  if (report.gpu_s) costs = fmt::format("Measuring took {:.1f} s", *report.gpu_s);
  if (report.gpu_s && report.wall_s) costs += fmt::format(" of {:.1f} s", *report.wall_s);
  if (report.cost) costs += fmt::format("{}{}", costs.empty() ? "" : ": ", describe(*report.cost));
  if (!costs.empty()) costs += ". ";
  if (decision.expected_false_alarms > 0)
    costs += fmt::format("False alarms to expect in a run like this: {:.2g}.", decision.expected_false_alarms);
  out += wrapped(costs, style.columns);
  return written(std::move(out), style);
}

}  // namespace kernelgate::report

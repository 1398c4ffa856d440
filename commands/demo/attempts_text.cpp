// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "commands/demo/attempts.hpp"
#include "core/report/cells.hpp"
#include "core/report/text.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/tool_documents.hpp"

namespace kernelgate::demo {
namespace {

constexpr std::size_t kCommitDigits = 10;
constexpr std::size_t kTitleLeast = 20;

std::string ratio_text(const Attempt& attempt) {
  return attempt.shown && attempt.shown->ratio ? report::ratio_cell(*attempt.shown) : "–";
}

std::string outcome_text(const Attempt& attempt) {
  return attempt.as_expected() ? attempt.outcome : attempt.outcome + " (expected " + attempt.step.expected + ")";
}

std::string why(const Attempt& attempt) {
  std::string text = report::harmless(attempt.error + attempt.evidence);  // never both
  if (attempt.same_failure_as != 0)
    text += fmt::format("{}the same failure as #{}", text.empty() ? "" : "; ", attempt.same_failure_as);
  return text;
}

using Row = std::vector<std::string>;

Row row_of(const Attempt& attempt) {
  return {std::to_string(attempt.step.number),
          attempt.commit.substr(0, kCommitDigits),
          report::harmless(attempt.step.title),
          outcome_text(attempt),
          ratio_text(attempt),
          fmt::format("{:.1f}", attempt.run.wall_s)};
}

std::string line_of(const Row& row, const std::vector<std::size_t>& widths) {
  std::string out;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const bool number = i == 0 || i + 1 == row.size();
    const std::string cell = report::shorten(row[i], widths[i]);
    out += (i == 0 ? "" : "  ") + (number ? report::pad_left(cell, widths[i]) : report::pad_right(cell, widths[i]));
  }
  return out + "\n";
}

std::optional<std::string> unless_empty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

wire::PrintedAttempt printed_attempt(const Attempt& attempt) {
  wire::PrintedAttempt out{
      .number = attempt.step.number,
      .commit = attempt.commit,
      .branch = attempt.step.branch,
      .title = attempt.step.title,
      .hypothesis = attempt.step.hypothesis,
      .expected = attempt.step.expected,
      .outcome = attempt.outcome,
      .as_expected = attempt.as_expected(),
      .conclusion = attempt.run.conclusion ? std::string(to_string(*attempt.run.conclusion)) : std::string(),
      .exit_code = attempt.run.exit_code,
      .run = attempt.run.id,
      .base = unless_empty(attempt.run.base_commit),
      .benchmark = {},
      .ratio = {},
      .ratio_low = {},
      .ratio_high = {},
      .error = unless_empty(attempt.error),
      .evidence = unless_empty(attempt.evidence),
      .fingerprint = unless_empty(attempt.fingerprint),
      .same_failure_as = {},
      .cost_s = attempt.run.wall_s,
      .measuring_s = attempt.run.gpu_s_used};
  if (attempt.same_failure_as > 0) out.same_failure_as = attempt.same_failure_as;
  if (const auto& shown = attempt.shown) {
    out.benchmark = shown->benchmark;
    out.ratio = shown->ratio;
    out.ratio_low = shown->ratio_low;
    out.ratio_high = shown->ratio_high;
    out.pairs = shown->pairs;
  }
  return out;
}

}  // namespace

std::string verdict_line(const Attempt& attempt) {
  std::string line = fmt::format("{:>2}  {:<46}  {}", attempt.step.number, report::shorten(attempt.step.title, 46),
                                 outcome_text(attempt));
  if (attempt.shown && attempt.shown->ratio) line += "  " + ratio_text(attempt);
  const std::string reason = why(attempt);
  return line + (reason.empty() ? "" : "\n        " + report::shorten(reason, 90)) + "\n";
}

std::string to_table(std::span<const Attempt> attempts, const report::TableStyle& style) {
  const Row heads{"#", "commit", "what was tried", "outcome", "head/base [99 %]", "cost, s"};
  std::vector<Row> rows;
  std::vector<std::size_t> widths;
  for (const std::string& head : heads) widths.push_back(report::width(head));
  for (const Attempt& attempt : attempts) {
    rows.push_back(row_of(attempt));
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], report::width(rows.back()[i]));
  }
  std::size_t beside = 2 * (widths.size() - 1);
  for (std::size_t i = 0; i < widths.size(); ++i) beside += i == 2 ? 0 : widths[i];
  widths[2] = std::min(widths[2], std::max(kTitleLeast, style.columns > beside ? style.columns - beside : 0));

  std::string out = line_of(heads, widths);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out += line_of(rows[i], widths);
    if (const std::string reason = why(attempts[i]); !reason.empty())
      for (const std::string& line : report::wrap(reason, style.columns > 24 ? style.columns - 8 : 16))
        out += "        " + line + "\n";
  }
  return out;
}

std::string to_json(std::span<const Attempt> attempts) {
  wire::DemoDocument out{.as_expected = all_as_expected(attempts), .attempts = {}};
  for (const Attempt& attempt : attempts) out.attempts.push_back(printed_attempt(attempt));
  return wire::print(out);
}

}  // namespace kernelgate::demo

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "commands/browse/ledger.hpp"
#include "core/ledger/findings.hpp"
#include "core/ledger/outcome.hpp"
#include "core/ledger/tuning.hpp"
#include "core/report/text.hpp"
#include "core/wire/codec.hpp"

namespace kernelgate::browse {
namespace {

using report::harmless;

constexpr std::size_t kIndent = 6;
constexpr std::size_t kNameMost = 40;

using Row = std::array<std::string, 6>;

std::string range_text(const wire::Attempt& attempt) {
  if (!attempt.best || !attempt.worst) return "–";
  const auto percent = [](double ratio) { return fmt::format("{:+.1f} %", 100 * (ratio - 1)); };
  if (attempt.timed == 1) return percent(attempt.best->ratio);
  return percent(attempt.best->ratio) + " … " + percent(attempt.worst->ratio);
}

Row row_of(const wire::Attempt& attempt) {
  return {std::to_string(attempt.id),
          words(attempt.outcome),
          range_text(attempt),
          fmt::format("{:.1f}", ledger::seconds_of(attempt.cost)),
          report::shorten(harmless(ledger::name_of(attempt)), kNameMost),
          harmless(attempt.hypothesis.empty() ? attempt.subject : attempt.hypothesis)};
}

std::string notices_of(const wire::Attempt& attempt, std::size_t columns) {
  std::string out;
  for (const std::string& notice : attempt.notices)
    for (const std::string& line : report::wrap(harmless(notice), columns > 30 ? columns - kIndent : 24))
      out += std::string(kIndent, ' ') + line + "\n";
  return out;
}

}  // namespace

std::string to_table(const std::vector<wire::Attempt>& attempts, const report::TableStyle& style) {
  if (attempts.empty()) return "no attempts\n";
  std::vector<Row> rows{{"#", "outcome", "head/base", "cost, s", "what", "hypothesis"}};
  for (const wire::Attempt& attempt : attempts) rows.push_back(row_of(attempt));
  std::array<std::size_t, std::tuple_size_v<Row>> widths{};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], report::width(row[i]));
  std::string out;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    std::string line;
    for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
      const bool number = i == 0 || i == 3;
      line += (number ? report::pad_left(rows[at][i], widths[i]) : report::pad_right(rows[at][i], widths[i])) + "  ";
    }
    const std::size_t used = report::width(line);
    out += line + report::shorten(rows[at].back(), style.columns > used + 10 ? style.columns - used : 10) + "\n";
    if (at > 0) out += notices_of(attempts[at - 1], style.columns);
  }
  return out;
}

std::string to_markdown(const std::vector<wire::Attempt>& attempts) { return ledger::attempts_markdown(attempts); }

std::string to_json(const std::vector<wire::Attempt>& attempts) { return wire::list_document("attempts", attempts); }

std::string to_text(const wire::Attempt& attempt) {
  std::string out = fmt::format("attempt {}: {}\n", attempt.id, harmless(ledger::name_of(attempt)));
  const auto line = [&out](const char* name, const std::string& text) {
    if (!text.empty()) out += fmt::format("  {:<11} {}\n", name, harmless(text));
  };
  line("outcome", words(attempt.outcome));
  line("why", attempt.detail);
  line("commit", attempt.commit.substr(0, 10) + (attempt.subject.empty() ? "" : " " + attempt.subject));
  line("hypothesis", attempt.hypothesis);
  line("lesson", attempt.lesson);
  if (attempt.best) line("fastest", attempt.best->benchmark + " " + ledger::ratio_text(*attempt.best));
  if (attempt.worst && attempt.timed > 1)
    line("slowest", attempt.worst->benchmark + " " + ledger::ratio_text(*attempt.worst));
  if (attempt.error_factor) line("error", fmt::format("x{:.3g}", *attempt.error_factor));
  const wire::AttemptCost& cost = attempt.cost;
  line("cost", fmt::format("build {:.1f} s, check {:.1f} s, measure {:.1f} s{}", cost.build_s, cost.check_s,
                           cost.measure_s, cost.money ? fmt::format("; {:.4f} for the device", *cost.money) : ""));
  std::string runs;
  for (const std::int64_t run : attempt.runs) runs += (runs.empty() ? "" : ", ") + std::to_string(run);
  line("runs", runs);
  if (attempt.tried_at) line("tried", to_iso8601(*attempt.tried_at));
  for (const std::string& failure : attempt.failures) line("failure", failure);
  for (const std::string& notice : attempt.notices) line("notice", notice);
  return out;
}

}  // namespace kernelgate::browse

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "commands/browse/show.hpp"
#include "core/report/text.hpp"
#include "core/wire/codec.hpp"

namespace kernelgate::browse {
namespace {

std::vector<std::string> row_of(const wire::Run& run) {
  return {std::to_string(run.id),
          std::string(run.conclusion ? to_string(*run.conclusion) : to_string(run.state)),
          report::harmless(run.repository),
          report::harmless(run.commit.substr(0, 10)),
          to_iso8601(run.created_at).substr(0, 19),
          report::harmless(run.subject.empty() ? run.summary : run.subject)};
}

}  // namespace

std::string aligned(const std::vector<std::vector<std::string>>& rows, const report::TableStyle& style) {
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      std::size_t widest = 0;
      for (const auto& other : rows) widest = std::max(widest, report::width(other[i]));
      line += report::pad_right(row[i], widest) + "  ";
    }
    const std::size_t used = report::width(line);
    out += line + report::shorten(row.back(), style.columns > used ? style.columns - used : 0) + "\n";
  }
  return out;
}

std::string to_table(const std::vector<wire::Run>& runs, const report::TableStyle& style) {
  if (runs.empty()) return "no runs\n";
  std::vector<std::vector<std::string>> rows{{"run", "outcome", "repository", "commit", "created", "subject"}};
  for (const wire::Run& run : runs) rows.push_back(row_of(run));
  return report::written(aligned(rows, style), style);
}

std::string to_json(const std::vector<wire::Run>& runs) { return wire::list_document("runs", runs); }

}  // namespace kernelgate::browse

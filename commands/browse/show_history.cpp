// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "commands/browse/show.hpp"
#include "core/report/text.hpp"
#include "core/stats/summary.hpp"
#include "core/wire/codec.hpp"

namespace kernelgate::browse {
namespace {

using wire::BenchmarkHistory;

constexpr std::size_t kSparkWidest = 40, kSparkNarrowest = 16;  // names have the room before it grows
constexpr std::size_t kBeside = 37;                             // newest time, its spread, number of points, gaps
constexpr double kSparkRangeMin = 0.02;                         // a flat history must not look like mountains

std::string percent(double ratio) { return fmt::format("{:+.1f} %", (ratio - 1) * 100); }
std::string short_hash(const std::string& hash) { return report::harmless(hash.substr(0, 10)); }

// Half of what the newest commit's processes spread over: "±0.3 %".
std::string spread_of(const BenchmarkHistory& history) {
  if (history.points.empty() || history.points.back().processes < 2) return {};
  const wire::HistoryPoint& newest = history.points.back();
  return fmt::format("±{:.1f} %", 50 * newest.spread_ns / newest.median_ns);
}

// Log times; of a long history each column is the median of its points.
std::vector<double> columns_of(const std::vector<wire::HistoryPoint>& points, std::size_t most) {
  std::vector<double> out;
  const std::size_t columns = std::min(most, points.size());
  for (std::size_t column = 0; column < columns; ++column) {
    std::vector<double> inside;
    for (std::size_t i = column * points.size() / columns; i < (column + 1) * points.size() / columns; ++i)
      inside.push_back(std::log(points[i].median_ns));
    out.push_back(stats::median(inside).value_or(0));
  }
  return out;
}

std::string sparkline(const std::vector<wire::HistoryPoint>& points, std::size_t most) {
  std::vector<double> levels = columns_of(points, most);
  if (levels.empty()) return {};
  const auto [low, high] = std::minmax_element(levels.begin(), levels.end());
  const double middle = 0.5 * (*low + *high), range = std::max(*high - *low, std::log1p(kSparkRangeMin));
  for (double& level : levels) level = 0.5 + (level - middle) / range;
  return report::bars(levels);
}

std::vector<std::string> findings_of(const BenchmarkHistory& history) {
  std::vector<std::string> out;
  for (const wire::HistoryChange& change : history.changes)
    out.push_back(fmt::format("{} between {} and {} ({} commits before, {} since)", percent(change.ratio),
                              short_hash(change.commit_before), short_hash(change.commit_after), change.points_before,
                              change.points_after));
  if (history.creep)
    out.push_back(fmt::format("creep: {} since {} ({} commits, {:+.2f} % each)", percent(history.creep->ratio),
                              short_hash(history.creep->commit_before), history.creep->commits,
                              (history.creep->ratio_per_commit - 1) * 100));
  if (history.anchor) out.push_back(report::harmless(history.anchor->text));
  if (!history.anchor_note.empty()) out.push_back(report::harmless(history.anchor_note));
  return out;
}

std::string headline(const BenchmarkHistory& history) {
  std::string out = report::harmless(history.repository);
  out += history.branch.empty() ? ", any branch" : ", branch " + report::harmless(history.branch);
  return out + fmt::format(", epoch {}\n", history.epoch);
}

std::string name_of(const BenchmarkHistory& history) {
  return report::harmless(history.suite + ": " + history.benchmark);
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string finding_at(const BenchmarkHistory& history, const wire::HistoryPoint& point) {
  for (const wire::HistoryChange& change : history.changes)
    if (change.commit_after == point.commit) return "change " + percent(change.ratio);
  if (history.creep && history.creep->commit_after == point.commit) return "creep " + percent(history.creep->ratio);
  return {};
}

}  // namespace

std::string to_table(const std::vector<BenchmarkHistory>& histories, const report::TableStyle& style) {
  std::size_t name_width = 0;
  for (const BenchmarkHistory& history : histories) name_width = std::max(name_width, report::width(name_of(history)));
  const std::size_t room = style.columns - std::min(style.columns, kBeside);  // for name and sparkline
  name_width = std::min(name_width, std::max<std::size_t>(12, room - std::min(room, kSparkNarrowest)));
  const std::size_t spark = std::min(room - std::min(room, name_width), kSparkWidest);
  std::string out, above;
  for (const BenchmarkHistory& history : histories) {
    if (const std::string line = headline(history); line != above) out += above = line;
    const std::size_t count = history.points.size();
    const std::string newest = history.points.empty() ? "–" : report::duration(history.points.back().median_ns);
    out += report::pad_right(report::shorten(name_of(history), name_width), name_width) + "  " +
           report::pad_left(newest, 9) + "  " + report::pad_left(spread_of(history), 8) + "  " +
           report::pad_left(fmt::format("{} {}", count, count == 1 ? "point" : "points"), 12) + "  " +
           sparkline(history.points, spark) + "\n";
    for (const std::string& finding : findings_of(history))
      for (const std::string& line : report::wrap(finding, style.columns - 4)) out += "    " + line + "\n";
  }
  return report::written(std::move(out), style);
}

std::string to_json(const std::vector<BenchmarkHistory>& histories) {
  return wire::list_document("histories", histories);
}

std::string to_csv(const std::vector<BenchmarkHistory>& histories) {
  std::string out =
      "repository,suite,benchmark,branch,epoch,run,commit,finished_at,median_ns,spread_ns,processes,verdict,"
      "anchor_ratio,finding\n";
  for (const BenchmarkHistory& history : histories)
    for (const wire::HistoryPoint& point : history.points)
      out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(history.repository),
                         csv_field(history.suite), csv_field(history.benchmark), csv_field(history.branch),
                         history.epoch, point.run, point.commit, to_iso8601(point.finished_at), point.median_ns,
                         point.spread_ns, point.processes, to_string(point.verdict),
                         point.anchor_ratio ? fmt::format("{}", *point.anchor_ratio) : "", finding_at(history, point));
  return out;
}

}  // namespace kernelgate::browse

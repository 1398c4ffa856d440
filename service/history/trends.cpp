// SPDX-License-Identifier: Apache-2.0
#include "service/history/trends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/history/anchor.hpp"
#include "core/history/trend.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::service {
namespace {

// So many of the first points make the level that ratios to an epoch's start are of.
constexpr std::size_t kStartPoints = 10;

std::vector<double> log_times(const wire::BenchmarkHistory& history) {
  std::vector<double> out;
  for (const wire::HistoryPoint& point : history.points) out.push_back(std::log(point.median_ns));
  return out;
}

wire::HistoryChange to_wire(const history::ChangePoint& change, const std::vector<wire::HistoryPoint>& points) {
  const wire::HistoryPoint& before = points[change.index - 1];
  const wire::HistoryPoint& after = points[change.index];
  return {.commit_before = before.commit,
          .commit_after = after.commit,
          .run_before = before.run,
          .run_after = after.run,
          .ratio = change.ratio,
          .p = change.p,
          .points_before = static_cast<int>(change.before),
          .points_after = static_cast<int>(change.after)};
}

wire::HistoryCreep to_wire(const history::Creep& creep, const std::vector<wire::HistoryPoint>& points) {
  const wire::HistoryPoint& before = points[creep.start];
  const wire::HistoryPoint& after = points[creep.start + 1];
  return {.commit_before = before.commit,
          .commit_after = after.commit,
          .run_before = before.run,
          .run_after = after.run,
          .ratio = creep.ratio,
          .ratio_per_commit = creep.ratio_per_point,
          .commits = static_cast<int>(points.size() - 1 - creep.start),
          .p = creep.p};
}

std::string sentence(const wire::HistoryAnchor& held) {
  const auto percent = [](double ratio) { return fmt::format("{:+.1f} %", (ratio - 1) * 100); };
  std::string out = percent(held.ratio);
  if (held.ratio_low && held.ratio_high)
    out += fmt::format(" [{}, {}]", percent(*held.ratio_low), percent(*held.ratio_high));
  out += fmt::format(" against {} ({})", held.name, held.commit.substr(0, 10));
  if (held.spread == "sessions") return out + fmt::format("; interval from {} sessions", held.spread_count);
  if (held.spread == "history")
    return out + fmt::format("; session offset not known, interval from {} points", held.spread_count);
  return out + "; session offset not known, too few points for an interval";
}

}  // namespace

Status add_trend(wire::BenchmarkHistory& history) {
  const auto trend = history::find_trend(log_times(history));
  if (!trend) return pass_on(trend);
  history.changes.clear();
  for (const history::ChangePoint& change : trend->changes) history.changes.push_back(to_wire(change, history.points));
  history.creep.reset();
  if (trend->creep) history.creep = to_wire(*trend->creep, history.points);
  return {};
}

Result<std::vector<wire::HistoryChange>> newly_confirmed(const wire::BenchmarkHistory& history) {
  if (history.changes.empty()) return std::vector<wire::HistoryChange>{};
  const std::vector<double> times = log_times(history);
  const auto trend = history::find_trend(times);
  if (!trend) return pass_on(trend);
  const auto fresh = history::newly_confirmed(times, *trend);
  if (!fresh) return pass_on(fresh);
  std::vector<wire::HistoryChange> out;
  for (const history::ChangePoint& change : *fresh) out.push_back(to_wire(change, history.points));
  return out;
}

void add_start(wire::BenchmarkHistory& history) {
  std::vector<double> first;
  for (std::size_t i = 0; i < std::min(history.points.size(), kStartPoints); ++i)
    first.push_back(history.points[i].median_ns);
  const auto median = stats::median(first);
  history.start_ns = median ? std::optional(*median) : std::nullopt;
}

Status compare_with_anchor(wire::BenchmarkHistory& history, const db::Anchor& anchor) {
  const std::pair name(history.suite, history.benchmark);
  const auto median = anchor.medians_ns.find(name);
  if (median == anchor.medians_ns.end() || history.points.empty()) return {};
  std::vector<double> log_times;
  for (wire::HistoryPoint& point : history.points) {
    point.anchor_ratio = point.median_ns / median->second;
    log_times.push_back(std::log(point.median_ns));
  }
  const auto sessions = anchor.sessions.find(name);
  const auto held =
      history::compare_with_level(log_times, std::log(median->second),
                                  sessions == anchor.sessions.end() ? std::vector<double>{} : sessions->second);
  if (!held) return pass_on(held);
  history.anchor = wire::HistoryAnchor{.baseline = anchor.baseline.id.value,
                                       .name = anchor.baseline.name,
                                       .commit = anchor.baseline.commit,
                                       .median_ns = median->second,
                                       .ratio = held->ratio,
                                       .ratio_low = held->low,
                                       .ratio_high = held->high,
                                       .spread = std::string(to_string(held->spread)),
                                       .spread_count = held->count,
                                       .text = {}};
  history.anchor->text = sentence(*history.anchor);
  return {};
}

std::string note_of(const db::AnchorLookup& lookup) {
  if (!lookup.of_another_epoch) return {};
  return fmt::format("the anchored baseline {} ({}) is of another epoch: its times are not comparable",
                     lookup.of_another_epoch->name, lookup.of_another_epoch->commit.substr(0, 10));
}

}  // namespace kernelgate::service

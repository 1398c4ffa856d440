// SPDX-License-Identifier: Apache-2.0
#include "db/baselines/anchors.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/history/anchor.hpp"
#include "core/stats/summary.hpp"
#include "db/baselines/sessions.hpp"

namespace kernelgate::db {
namespace {

// The newest present anchored baseline; of this epoch, or of any.
std::optional<Baseline> newest_anchor(Connection& connection, RepositoryId repository, std::optional<EpochId> epoch) {
  Statement row = connection.query(
      "SELECT id FROM baselines WHERE repository_id = ?1 AND anchor <> 0 AND replaced_at IS NULL "
      "AND (?2 IS NULL OR epoch_id = ?2) ORDER BY id DESC LIMIT 1",
      repository, epoch);
  if (!row.step()) return std::nullopt;
  return get_baseline(connection, row.id<BaselineId>(0)).value();
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

AnchorLookup find_anchor(Connection& connection, RepositoryId repository, EpochId epoch) {
  AnchorLookup out;
  const auto present = newest_anchor(connection, repository, epoch);
  if (!present) {
    if (const auto other = newest_anchor(connection, repository, std::nullopt))
      out.note = fmt::format("the anchored baseline {} ({}) is of another epoch: its times are not comparable",
                             other->name, other->commit.substr(0, 10));
    return out;
  }
  Anchor& anchor = out.anchor.emplace();
  anchor.baseline = *present;
  for (const BaselineBenchmark& one : present->benchmarks)
    anchor.medians_ns[{one.suite, one.benchmark}] = one.median_ns;
  for (const StoredSessions& stored : stored_sessions(connection, repository, epoch)) {
    if (stored.commit != present->commit) continue;
    for (const std::vector<double>& session : stored.sessions)
      if (const auto moments = stats::moments(session))
        anchor.sessions[{stored.suite, stored.benchmark}].push_back(moments->mean);
  }
  return out;
}

Status compare_with_anchor(wire::BenchmarkHistory& history, const Anchor& anchor) {
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

}  // namespace kernelgate::db

// SPDX-License-Identifier: Apache-2.0
#include "db/baselines/baseline_diff.hpp"

#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "core/decision/rule/session_ratio.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate::db {
namespace {

constexpr std::size_t kPrefixMin = 7, kHashMax = 64;

bool is_hex(const std::string& text) { return text.find_first_not_of("0123456789abcdef") == std::string::npos; }

using Key = std::pair<std::string, std::string>;  // suite, benchmark

// One run's figures of one commit: log medians of its processes.
using Session = std::vector<double>;
using Epochs = std::map<std::int64_t, std::map<std::int64_t, Session>>;  // epoch, run

constexpr std::string_view kTimed =
    "SELECT b.suite, b.name, r.epoch_id, r.id, s.median_ns FROM commits c JOIN runs r ON r.";
constexpr std::string_view kUndisturbed =
    " = c.id JOIN processes p ON p.run_id = r.id JOIN series s ON s.process_id = p.id JOIN benchmarks b ON b.id = "
    "s.benchmark_id WHERE c.repository_id = ?1 AND c.hash = ?2 AND r.repository_id = ?1 AND r.state = 'done' AND "
    "r.epoch_id IS NOT NULL AND p.superseded = 0 AND p.disturbed = 0 AND s.error = '' AND s.median_ns > 0 AND "
    "p.side = ";

// Every time the commit was measured undisturbed, alone or as either side.
std::map<Key, Epochs> measured(Connection& connection, RepositoryId repository, const std::string& commit) {
  std::map<Key, Epochs> out;
  for (const auto& [column, side] : {std::pair("head_id", "'head'"), std::pair("base_id", "'base'")}) {
    std::string sql(kTimed);
    sql.append(column).append(kUndisturbed).append(side);
    Statement row = connection.query(sql, repository, commit);
    while (row.step()) out[{row.text(0), row.text(1)}][row.integer(2)][row.integer(3)].push_back(std::log(row.real(4)));
  }
  return out;
}

std::vector<double> session_means(const std::map<std::int64_t, Session>& sessions) {
  std::vector<double> out;
  for (const auto& [run, logs] : sessions)
    out.push_back(std::accumulate(logs.begin(), logs.end(), 0.0) / static_cast<double>(logs.size()));
  return out;
}

int processes_in(const std::map<std::int64_t, Session>& sessions) {
  int out = 0;
  for (const auto& [run, logs] : sessions) out += static_cast<int>(logs.size());
  return out;
}

double median_ns(const std::map<std::int64_t, Session>& sessions) {
  std::vector<double> all;
  for (const auto& [run, logs] : sessions) all.insert(all.end(), logs.begin(), logs.end());
  return std::exp(stats::median(all).value());
}

// The newest epoch that both were measured in; 0: none.
std::int64_t common_epoch(const Epochs& a, const Epochs& b) {
  for (auto at = a.rbegin(); at != a.rend(); ++at)
    if (b.count(at->first) > 0) return at->first;
  return 0;
}

void fill_side(const Epochs& epochs, std::int64_t epoch, int& sessions, int& processes, std::optional<double>& median) {
  if (epochs.empty()) return;
  const auto& taken = epoch > 0 ? epochs.at(epoch) : epochs.rbegin()->second;
  sessions = static_cast<int>(taken.size());
  processes = processes_in(taken);
  median = median_ns(taken);
}

wire::DiffRow by_sessions(const Key& key, const Epochs& a, const Epochs& b) {
  wire::DiffRow row;
  row.suite = key.first;
  row.benchmark = key.second;
  row.basis = "none";
  row.epoch = common_epoch(a, b);
  fill_side(a, row.epoch, row.a_sessions, row.a_processes, row.a_median_ns);
  fill_side(b, row.epoch, row.b_sessions, row.b_processes, row.b_median_ns);
  if (a.empty() || b.empty()) {
    row.note = a.empty() ? "only b was measured" : "only a was measured";
  } else if (row.epoch == 0) {
    row.note = "a was measured in epoch " + std::to_string(a.rbegin()->first) + ", b in epoch " +
               std::to_string(b.rbegin()->first) + ": what differs may be the machine";
  } else {
    const SessionRatio found = session_ratio(session_means(a.at(row.epoch)), session_means(b.at(row.epoch)));
    row.basis = "sessions";
    row.ratio = found.ratio;
    row.ratio_low = found.low;
    row.ratio_high = found.high;
    if (!found.low) row.note = "one session on a side: how much sessions differ is not known, so there is no interval";
  }
  return row;
}

std::optional<double> inverse(const std::optional<double>& ratio) {
  return ratio ? std::optional(1 / *ratio) : std::nullopt;
}

// Of the newest run that timed the two in turn; `turned`: a was head.
void add_pairs(Connection& connection, RepositoryId repository, const wire::BaselineDiff& diff, bool turned,
               std::map<Key, wire::DiffRow>& rows) {
  Statement row = connection.query(
      "SELECT n.suite, n.name, r.epoch_id, r.id, c.pairs, c.ratio, c.ratio_low, c.ratio_high, c.base_median_ns, "
      "c.head_median_ns FROM runs r JOIN commits h ON h.id = r.head_id JOIN commits b ON b.id = r.base_id "
      "JOIN comparisons c ON c.run_id = r.id JOIN benchmarks n ON n.id = c.benchmark_id WHERE r.repository_id = ? "
      "AND h.hash = ? AND b.hash = ? AND r.state = 'done' AND c.ratio IS NOT NULL AND c.against = 'pairs' ORDER BY "
      "r.id",
      repository, (turned ? diff.a : diff.b).commit, (turned ? diff.b : diff.a).commit);
  while (row.step()) {
    wire::DiffRow& out = rows[{row.text(0), row.text(1)}];
    if (out.run && *out.run > row.integer(3)) continue;
    out.suite = row.text(0);
    out.benchmark = row.text(1);
    out.basis = "pairs";
    out.epoch = row.maybe_integer(2).value_or(0);
    out.run = row.integer(3);
    out.a_sessions = out.b_sessions = 1;
    out.a_processes = out.b_processes = static_cast<int>(row.integer(4));
    out.ratio = row.maybe_real(5);
    out.ratio_low = row.maybe_real(6);
    out.ratio_high = row.maybe_real(7);
    out.a_median_ns = row.maybe_real(turned ? 9 : 8);
    out.b_median_ns = row.maybe_real(turned ? 8 : 9);
    out.note.clear();
    if (!turned) continue;
    out.ratio = inverse(out.ratio);
    std::swap(out.ratio_low, out.ratio_high);
    out.ratio_low = inverse(out.ratio_low);
    out.ratio_high = inverse(out.ratio_high);
  }
}

void add_notices(wire::BaselineDiff& diff) {
  int foreign = 0, lone = 0;
  for (const wire::DiffRow& row : diff.rows) {
    foreign += row.basis == "none" && row.a_sessions > 0 && row.b_sessions > 0;
    lone += row.basis == "sessions" && !row.ratio_low;
  }
  if (foreign > 0)
    diff.notices.push_back(std::to_string(foreign) +
                           " benchmarks were measured in different epochs: no ratio; trigger a run of one against the "
                           "other on one machine");
  if (lone > 0)
    diff.notices.push_back(std::to_string(lone) +
                           " benchmarks have one session on a side: no interval; remeasure the baselines");
}

}  // namespace

Result<wire::DiffSide> find_diff_side(Connection& connection, RepositoryId repository, const std::string& asked) {
  Statement named = connection.query(
      "SELECT c.hash FROM baselines l JOIN runs r ON r.id = l.run_id JOIN commits c ON c.id = r.head_id WHERE "
      "l.repository_id = ? AND l.name = ? AND l.replaced_at IS NULL ORDER BY l.id DESC LIMIT 1",
      repository, asked);
  if (named.step()) return wire::DiffSide{.asked = asked, .commit = named.text(0), .baseline = asked};
  const auto unknown = fail(Errc::not_found, "no baseline or measured commit '" + asked.substr(0, kHashMax) + "'", {},
                            "a baseline's name, a commit, or at least 7 digits of one");
  if (asked.size() < kPrefixMin || asked.size() > kHashMax || !is_hex(asked)) return unknown;
  Statement row =
      connection.query("SELECT hash FROM commits WHERE repository_id = ? AND substr(hash, 1, ?) = ? LIMIT 2",
                       repository, asked.size(), asked);
  if (!row.step()) return unknown;
  wire::DiffSide out{.asked = asked, .commit = row.text(0), .baseline = {}};
  if (row.step())
    return fail(Errc::invalid, "more than one commit starts with '" + asked + "'", {}, "give more digits");
  return out;
}

Result<wire::BaselineDiff> diff_baselines(Connection& connection, RepositoryId repository, const std::string& a,
                                          const std::string& b) {
  wire::BaselineDiff out;
  for (const auto& [asked, side] : {std::pair(&a, &out.a), std::pair(&b, &out.b)}) {
    auto found = find_diff_side(connection, repository, *asked);
    if (!found) return pass_on(found);
    *side = std::move(*found);
  }
  if (out.a.commit == out.b.commit)
    return fail(Errc::invalid, "both are commit " + out.a.commit.substr(0, 10), {}, "name two commits");
  std::map<Key, wire::DiffRow> rows;
  auto of_a = measured(connection, repository, out.a.commit), of_b = measured(connection, repository, out.b.commit);
  for (const auto& [key, epochs] : of_b) (void)of_a[key];
  for (const auto& [key, epochs] : of_a) rows[key] = by_sessions(key, epochs, of_b[key]);
  for (const bool turned : {false, true}) add_pairs(connection, repository, out, turned, rows);
  if (rows.empty()) return fail(Errc::not_found, "neither of the two was measured", {}, "trigger a run of them");
  for (auto& [key, row] : rows) out.rows.push_back(std::move(row));
  add_notices(out);
  return out;
}

}  // namespace kernelgate::db

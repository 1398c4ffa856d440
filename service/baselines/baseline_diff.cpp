// SPDX-License-Identifier: Apache-2.0
#include "service/baselines/baseline_diff.hpp"

#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "core/decision/rule/session_ratio.hpp"
#include "core/stats/summary.hpp"
#include "db/baselines/measured.hpp"

namespace kernelgate::service {
namespace {

constexpr std::size_t kPrefixMin = 7, kHashMax = 64;

bool is_hex(const std::string& text) { return text.find_first_not_of("0123456789abcdef") == std::string::npos; }

using Key = std::pair<std::string, std::string>;  // suite, benchmark

// One run's figures of one commit: log medians of its processes.
using Session = std::vector<double>;
using Epochs = std::map<std::int64_t, std::map<std::int64_t, Session>>;  // epoch, run

std::map<Key, Epochs> epochs_of(db::Connection& connection, RepositoryId repository, const std::string& commit) {
  std::map<Key, Epochs> out;
  for (const db::TimedProcess& one : db::timed_processes(connection, repository, commit))
    out[{one.suite, one.benchmark}][one.epoch][one.run].push_back(std::log(one.median_ns));
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

wire::DiffRow by_pairs(const db::PairedBenchmark& one, bool turned) {
  wire::DiffRow out;
  out.suite = one.suite;
  out.benchmark = one.benchmark;
  out.basis = "pairs";
  out.epoch = one.epoch;
  out.run = one.run;
  out.a_sessions = out.b_sessions = 1;
  out.a_processes = out.b_processes = one.pairs;
  out.ratio = turned ? inverse(one.ratio) : one.ratio;
  out.ratio_low = turned ? inverse(one.ratio_high) : one.ratio_low;
  out.ratio_high = turned ? inverse(one.ratio_low) : one.ratio_high;
  out.a_median_ns = turned ? one.head_median_ns : one.base_median_ns;
  out.b_median_ns = turned ? one.base_median_ns : one.head_median_ns;
  return out;
}

// Of the newest run that timed the two in turn; `turned`: a was head.
void add_pairs(db::Connection& connection, RepositoryId repository, const wire::BaselineDiff& diff, bool turned,
               std::map<Key, wire::DiffRow>& rows) {
  const wire::DiffSide& head = turned ? diff.a : diff.b;
  const wire::DiffSide& base = turned ? diff.b : diff.a;
  for (const db::PairedBenchmark& one : db::paired_benchmarks(connection, repository, head.commit, base.commit)) {
    wire::DiffRow& row = rows[{one.suite, one.benchmark}];
    if (!row.run || *row.run <= one.run) row = by_pairs(one, turned);
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

Result<wire::DiffSide> find_diff_side(db::Connection& connection, RepositoryId repository, const std::string& asked) {
  if (auto commit = db::baseline_commit(connection, repository, asked))
    return wire::DiffSide{.asked = asked, .commit = std::move(*commit), .baseline = asked};
  const auto unknown = fail(Errc::not_found, "no baseline or measured commit '" + asked.substr(0, kHashMax) + "'", {},
                            "a baseline's name, a commit, or at least 7 digits of one");
  if (asked.size() < kPrefixMin || asked.size() > kHashMax || !is_hex(asked)) return unknown;
  const auto commits = db::commits_like(connection, repository, asked);
  if (commits.empty()) return unknown;
  if (commits.size() > 1)
    return fail(Errc::invalid, "more than one commit starts with '" + asked + "'", {}, "give more digits");
  return wire::DiffSide{.asked = asked, .commit = commits.front(), .baseline = {}};
}

Result<wire::BaselineDiff> diff_baselines(db::Connection& connection, RepositoryId repository, const std::string& a,
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
  auto of_a = epochs_of(connection, repository, out.a.commit), of_b = epochs_of(connection, repository, out.b.commit);
  for (const auto& [key, epochs] : of_b) (void)of_a[key];
  for (const auto& [key, epochs] : of_a) rows[key] = by_sessions(key, epochs, of_b[key]);
  for (const bool turned : {false, true}) add_pairs(connection, repository, out, turned, rows);
  if (rows.empty()) return fail(Errc::not_found, "neither of the two was measured", {}, "trigger a run of them");
  for (auto& [key, row] : rows) out.rows.push_back(std::move(row));
  add_notices(out);
  return out;
}

}  // namespace kernelgate::service

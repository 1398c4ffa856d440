// SPDX-License-Identifier: Apache-2.0
#include "core/decision/rule/stored.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/decision/evidence/pairs.hpp"
#include "core/decision/rule/figures.hpp"
#include "core/decision/rule/mwu_cliff.hpp"
#include "core/decision/rule/stored_screen.hpp"
#include "core/stats/cliffs_delta.hpp"
#include "core/stats/mann_whitney.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate {
namespace {

bool is_whole(const StoredSession& session) {
  return session.size() >= static_cast<std::size_t>(kStoredProcessesMin) &&
         std::all_of(session.begin(), session.end(), [](double x) { return std::isfinite(x); });
}

std::vector<double> all_processes(const StoredSessions& sessions) {
  std::vector<double> out;
  for (const StoredSession& session : sessions.sessions) out.insert(out.end(), session.begin(), session.end());
  return out;
}

std::size_t shortest_of(const StoredSessions& sessions) {
  std::size_t out = sessions.sessions.front().size();
  for (const StoredSession& session : sessions.sessions) out = std::min(out, session.size());
  return out;
}

int wanted_of(const StoredSessions& sessions, const Policy& policy) {
  if (policy.rule == Rule::mwu_cliff)
    return static_cast<int>(all_processes(sessions).size()) >= kRankFiguresFrom ? policy.max_pairs : 0;
  if (sessions.sessions.size() < static_cast<std::size_t>(kStoredSessionsMin)) return 0;
  return std::min(static_cast<int>(shortest_of(sessions)), std::max(policy.max_pairs, kStoredProcessesMin));
}

StoredSessions usable(StoredSessions sessions) {
  std::erase_if(sessions.sessions, [](const StoredSession& session) { return !is_whole(session); });
  return sessions;
}

// Of a prediction from these sessions; nothing where one session tells no spread.
std::optional<double> half_width_of(const StoredSessions& sessions, Quantiles& quantiles) {
  std::vector<double> levels;
  for (const StoredSession& session : sessions.sessions) levels.push_back(stats::moments(session).value().mean);
  const stats::Moments moments = stats::moments(levels).value();
  if (moments.count < 2) return std::nullopt;
  return quantiles.t(kEqualTail, moments.count - 1) * std::sqrt(moments.variance * (1 + 1.0 / moments.count));
}

StoredJudgement judge_by_ranks(const StoredSessions& sessions, const std::vector<double>& head, const Band& band,
                               Quantiles& quantiles) {
  const std::vector<double> base = all_processes(sessions);
  StoredJudgement out;
  out.verdict = judge_mwu_cliff(base, head, band);
  out.half_width = half_width_of(sessions, quantiles);
  const bool undetectable = !out.half_width || *out.half_width >= band.catch_limit;
  if (out.verdict == Verdict::suspected || (out.verdict == Verdict::unchanged && undetectable))
    out.verdict = Verdict::undecided;
  if (out.verdict == Verdict::regressed) out.severity = Severity::full;
  out.base_level = stats::median(base).value();
  out.head_level = stats::median(head).value();
  if (head.size() >= static_cast<std::size_t>(kRankFiguresFrom)) {
    out.cliffs_delta = stats::cliffs_delta(base, head).value().estimate;
    out.mwu_p = stats::mann_whitney(base, head).value().p;
  }
  return out;
}

}  // namespace

void attach_stored(SuiteEvidence& suite, std::span<const StoredSessions> sessions, const Policy& policy,
                   BuildEnd base_build) {
  suite.stored.clear();
  if (policy.against != Against::stored && base_build != BuildEnd::failed) return;
  for (const StoredSessions& entry : sessions)
    if (entry.suite == suite.name) suite.stored.push_back(entry);
}

bool can_judge_any(std::span<const StoredSessions> sessions, const Policy& policy) {
  return std::any_of(sessions.begin(), sessions.end(),
                     [&](const StoredSessions& entry) { return wanted_of(usable(entry), policy) > 0; });
}

StoredTable::StoredTable(const SuiteEvidence& suite, const Policy& policy) : rule_(policy.rule) {
  for (const StoredSessions& sessions : suite.stored) {
    Entry entry{.sessions = usable(sessions), .head = {}};
    entry.wanted = wanted_of(entry.sessions, policy);
    entries_.insert_or_assign(sessions.benchmark, std::move(entry));
  }
  if (entries_.empty()) return;
  add_head(suite);
  if (!suite.recorded) return;
  for (auto& [benchmark, entry] : entries_) {  // no more will come: those that are there judge
    if (entry.wanted == 0) continue;
    const int taken = static_cast<int>(entry.head.size());
    entry.wanted = policy.rule == Rule::mwu_cliff ? std::max(taken, kRankFiguresFrom)
                                                  : std::min(entry.wanted, std::max(taken, kStoredProcessesMin));
  }
}

// Of a process that was redone the highest attempt counts.
void StoredTable::add_head(const SuiteEvidence& suite) {
  struct Figure {
    int attempt = 0;
    double log_time = 0;
  };
  std::map<std::string_view, std::map<int, Figure>> figures;  // by benchmark, then number
  for (const Process& process : suite.processes) {
    if (process.side != Side::head || process.round != kScreenRound) continue;
    for (const Series& series : process.series) {
      if (!is_usable(series)) continue;
      Figure& figure = figures[series.benchmark][process.pair];
      if (process.attempt >= figure.attempt) figure = {process.attempt, median_log(series.samples_ns)};
    }
  }
  for (auto& [benchmark, entry] : entries_)
    for (const auto& [pair, figure] : figures[benchmark]) entry.head.push_back(figure.log_time);
}

const StoredTable::Entry* StoredTable::find(std::string_view benchmark) const {
  const auto entry = entries_.find(benchmark);
  return entry == entries_.end() ? nullptr : &entry->second;
}

const StoredSessions* StoredTable::sessions(std::string_view benchmark) const {
  const Entry* entry = find(benchmark);
  return entry ? &entry->sessions : nullptr;
}

int StoredTable::wanted(std::string_view benchmark) const {
  const Entry* entry = find(benchmark);
  return entry ? entry->wanted : 0;
}

int StoredTable::taken(std::string_view benchmark) const {
  const Entry* entry = find(benchmark);
  return entry ? static_cast<int>(entry->head.size()) : 0;
}

int StoredTable::used(std::string_view benchmark) const {
  const Entry* entry = find(benchmark);
  if (!entry || entry->wanted == 0) return 0;
  if (rule_ == Rule::mwu_cliff) return taken(benchmark);
  return std::min(taken(benchmark), static_cast<int>(shortest_of(entry->sessions)));
}

std::optional<StoredJudgement> StoredTable::judge(std::string_view benchmark, const Band& band,
                                                  Quantiles& quantiles) const {
  const Entry* entry = find(benchmark);
  if (!entry || entry->wanted == 0 || static_cast<int>(entry->head.size()) < entry->wanted) return std::nullopt;
  StoredJudgement out;
  if (rule_ == Rule::mwu_cliff) {
    out = judge_by_ranks(entry->sessions, entry->head, band, quantiles);
  } else {
    const auto screened = screen_against_stored(entry->sessions.sessions, entry->head, band, quantiles);
    if (!screened) return std::nullopt;
    out.verdict = screened->verdict;
    out.severity = screened->severity;
    out.half_width = screened->half_width;
    out.head_level = screened->head_level;
    out.base_level = screened->head_level - screened->shift;
  }
  out.sessions = static_cast<int>(entry->sessions.sessions.size());
  out.processes = static_cast<int>(all_processes(entry->sessions).size());
  out.head = used(benchmark);
  out.head_taken = taken(benchmark);
  return out;
}

}  // namespace kernelgate

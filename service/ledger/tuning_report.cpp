// SPDX-License-Identifier: Apache-2.0
#include "service/ledger/tuning_report.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "core/ledger/outcome.hpp"
#include "core/ledger/tuning.hpp"
#include "core/units/limits.hpp"
#include "db/baselines/sessions.hpp"
#include "db/ledger/attempts.hpp"
#include "db/ledger/tuning_rows.hpp"
#include "db/repositories/repositories.hpp"
#include "db/runs/comparisons.hpp"
#include "db/runs/runs.hpp"
#include "service/ledger/alike.hpp"

namespace kernelgate::service {
namespace {

// Newest first, at most `most`.
std::vector<wire::Attempt> attempts_of(db::Connection& connection, const db::AttemptFilter& filter, std::size_t most) {
  std::vector<wire::Attempt> out;
  for (db::Page page{.before = 0, .limit = limits::kPageMax}; out.size() <= most;) {
    auto rows = whole_attempts(connection, filter, page);
    if (rows.empty()) break;
    page.before = rows.back().id;
    std::move(rows.begin(), rows.end(), std::back_inserter(out));
  }
  return out;
}

void add_attempts(db::Connection& connection, const TuningQuery& query, wire::TuningReport& out) {
  constexpr std::size_t kMax = limits::kReportAttemptsMax;
  for (const RepositoryId repository : query.repositories) {
    db::AttemptFilter filter{.repository = repository};
    narrow_to_branch(filter, query.branch);
    filter.since = query.since;
    auto rows = attempts_of(connection, filter, kMax);
    std::move(rows.begin(), rows.end(), std::back_inserter(out.attempts));
  }
  std::sort(out.attempts.begin(), out.attempts.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  out.is_cut = out.attempts.size() > kMax;
  if (out.is_cut) out.attempts.erase(out.attempts.begin(), out.attempts.end() - kMax);
}

struct Matrix {
  std::map<std::string, std::set<std::string>> benchmarks, shapes;  // by suite
  std::map<std::int64_t, wire::TuningTestbed> testbeds;             // by epoch
};

void add_run(db::Connection& connection, RunId run, Matrix& out) {
  if (auto found = db::testbed_of(connection, run)) {
    const auto [bed, is_new] = out.testbeds.try_emplace(found->epoch.value, std::move(found->testbed));
    ++bed->second.runs;
  }
  for (const db::RunCase& one : db::benchmarks_of(connection, run)) out.benchmarks[one.suite].insert(one.name);
  for (const db::RunCase& one : db::shapes_of(connection, run)) out.shapes[one.suite].insert(one.name);
}

void add_matrix(db::Connection& connection, const std::set<std::int64_t>& runs, wire::TuningReport& out) {
  Matrix matrix;
  for (const std::int64_t run : runs) add_run(connection, RunId{run}, matrix);
  std::set<std::string> suites;
  for (const auto& [suite, names] : matrix.benchmarks) suites.insert(suite);
  for (const auto& [suite, names] : matrix.shapes) suites.insert(suite);
  const auto listed = [](const std::set<std::string>& names) {
    return std::vector<std::string>(names.begin(), names.end());
  };
  for (const std::string& suite : suites)
    out.suites.push_back({suite, listed(matrix.benchmarks[suite]), listed(matrix.shapes[suite])});
  for (auto& [epoch, bed] : matrix.testbeds) out.testbeds.push_back(std::move(bed));
}

std::optional<wire::AttemptRatio> ratio_of(const Comparison* one) {
  if (one == nullptr) return std::nullopt;
  return wire::AttemptRatio{.suite = one->suite,
                            .benchmark = one->benchmark,
                            .ratio = *one->ratio,
                            .low = one->ratio_low,
                            .high = one->ratio_high};
}

wire::TuningLanded landed(db::Connection& connection, const db::Run& run) {
  RunDecision decision;
  decision.conclusion = *run.conclusion;
  decision.reason = run.reason;
  decision.comparisons = db::list_comparisons(connection, run.reused_from.value_or(run.id));
  const Comparison *best = nullptr, *worst = nullptr;
  for (const Comparison& one : decision.comparisons) {
    if (!one.ratio || !std::isfinite(*one.ratio)) continue;
    if (best == nullptr || *one.ratio < *best->ratio) best = &one;
    if (worst == nullptr || *one.ratio > *worst->ratio) worst = &one;
  }
  return {.run = run.id.value,
          .commit = run.commit,
          .subject = run.subject,
          .outcome = ledger::judge_attempt(decision).outcome,
          .best = ratio_of(best),
          .worst = ratio_of(worst)};
}

// Runs of the default branch, oldest first. Of one branch's report they are no part.
void add_landed(db::Connection& connection, const TuningQuery& query, std::set<std::int64_t>& runs,
                wire::TuningReport& out) {
  if (!query.branch.empty() || query.repositories.empty()) return;
  const auto repository = db::get_repository(connection, query.repositories.front());
  if (!repository) return;
  db::RunFilter filter;
  filter.repository = repository->id;
  filter.branch = repository->default_branch;
  filter.state = RunState::done;
  for (db::Page page{.before = 0, .limit = limits::kPageMax}; out.landed.size() < limits::kReportAttemptsMax;) {
    const auto rows = db::list_runs(connection, filter, page);
    for (const db::Run& run : rows) {
      const bool counts = run.conclusion && !run.reused_from && run.source != db::kSessionSource && run.finished_at &&
                          (!query.since || *run.finished_at >= *query.since);
      if (!counts || db::attempt_of_run(connection, run.id)) continue;
      out.landed.push_back(landed(connection, run));
      runs.insert(run.id.value);
    }
    if (rows.size() < static_cast<std::size_t>(page.limit)) break;
    page.before = rows.back().id.value;
  }
  std::reverse(out.landed.begin(), out.landed.end());
}

}  // namespace

wire::TuningReport gather_report(db::Connection& connection, const TuningQuery& query) {
  wire::TuningReport out;
  out.repository = query.name;
  out.branch = query.branch;
  out.since = query.since_text;
  add_attempts(connection, query, out);
  std::set<std::int64_t> runs;
  for (const wire::Attempt& attempt : out.attempts) runs.insert(attempt.runs.begin(), attempt.runs.end());
  add_landed(connection, query, runs, out);
  add_matrix(connection, runs, out);
  ledger::conclude_tuning(out);
  return out;
}

}  // namespace kernelgate::service

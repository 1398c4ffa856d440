// SPDX-License-Identifier: Apache-2.0
#include "db/ledger/tuning_report.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "core/ledger/tuning.hpp"
#include "db/baselines/sessions.hpp"
#include "db/ledger/attempts.hpp"
#include "db/repositories/repositories.hpp"
#include "db/runs/comparisons.hpp"
#include "db/runs/runs.hpp"

namespace kernelgate::db {
namespace {

// Newest first, at most `most`.
std::vector<wire::Attempt> attempts_of(Connection& connection, AttemptFilter filter, std::size_t most) {
  std::vector<wire::Attempt> out;
  for (Page page{.before = 0, .limit = limits::kPageMax}; out.size() <= most;) {
    auto rows = list_attempts(connection, filter, page);
    if (rows.empty()) break;
    page.before = rows.back().id;
    std::move(rows.begin(), rows.end(), std::back_inserter(out));
  }
  return out;
}

void add_attempts(Connection& connection, const TuningQuery& query, wire::TuningReport& out) {
  constexpr std::size_t kMax = limits::kReportAttemptsMax;
  for (const RepositoryId repository : query.repositories) {
    AttemptFilter filter{.repository = repository};
    filter.branch = query.branch;
    filter.since = query.since;
    auto rows = attempts_of(connection, std::move(filter), kMax);
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

void add_testbed(Connection& connection, RunId run, Matrix& out) {
  Statement row = connection.query(
      "SELECT e.id, t.name, e.gpu_model, e.compute_capability, e.driver, e.toolkit, e.host_cpu FROM runs r JOIN epochs "
      "e ON e.id = r.epoch_id JOIN testbeds t ON t.id = e.testbed_id WHERE r.id = ?",
      run);
  if (!row.step()) return;
  wire::TuningTestbed& bed = out.testbeds[row.integer(0)];
  bed.name = row.text(1);
  bed.gpu_model = row.text(2);
  bed.compute_capability = row.text(3);
  bed.driver = row.text(4);
  bed.toolkit = row.text(5);
  bed.host_cpu = row.text(6);
  ++bed.runs;
}

void add_cases(Connection& connection, RunId run, Matrix& out) {
  // A failed check stands among the comparisons under its case's name: it is no benchmark.
  Statement benchmark = connection.query(
      "SELECT DISTINCT b.suite, b.name FROM comparisons c JOIN benchmarks b ON b.id = c.benchmark_id WHERE c.run_id = "
      "? AND c.fingerprint = ''",
      run);
  while (benchmark.step()) out.benchmarks[benchmark.text(0)].insert(benchmark.text(1));
  Statement shape = connection.query("SELECT DISTINCT suite, shape FROM checks WHERE run_id = ? AND shape <> ''", run);
  while (shape.step()) out.shapes[shape.text(0)].insert(shape.text(1));
}

void add_matrix(Connection& connection, const std::set<std::int64_t>& runs, wire::TuningReport& out) {
  Matrix matrix;
  for (const std::int64_t run : runs) {
    add_testbed(connection, RunId{run}, matrix);
    add_cases(connection, RunId{run}, matrix);
  }
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

wire::TuningLanded landed(Connection& connection, const Run& run) {
  RunDecision decision;
  decision.conclusion = *run.conclusion;
  decision.reason = run.reason;
  decision.comparisons = list_comparisons(connection, run.reused_from.value_or(run.id));
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
void add_landed(Connection& connection, const TuningQuery& query, std::set<std::int64_t>& runs,
                wire::TuningReport& out) {
  if (!query.branch.empty() || query.repositories.empty()) return;
  const auto repository = get_repository(connection, query.repositories.front());
  if (!repository) return;
  RunFilter filter;
  filter.repository = repository->id;
  filter.branch = repository->default_branch;
  filter.state = RunState::done;
  for (Page page{.before = 0, .limit = limits::kPageMax}; out.landed.size() < limits::kReportAttemptsMax;) {
    const auto rows = list_runs(connection, filter, page);
    for (const Run& run : rows) {
      const bool counts = run.conclusion && !run.reused_from && run.source != kSessionSource && run.finished_at &&
                          (!query.since || *run.finished_at >= *query.since);
      if (!counts || attempt_of_run(connection, run.id)) continue;
      out.landed.push_back(landed(connection, run));
      runs.insert(run.id.value);
    }
    if (rows.size() < static_cast<std::size_t>(page.limit)) break;
    page.before = rows.back().id.value;
  }
  std::reverse(out.landed.begin(), out.landed.end());
}

}  // namespace

std::vector<RepositoryId> same_address(Connection& connection, RepositoryId repository) {
  Statement row = connection.query(
      "SELECT b.id FROM repositories a JOIN repositories b ON b.url = a.url WHERE a.id = ? ORDER BY b.id <> a.id, b.id",
      repository);
  std::vector<RepositoryId> out;
  while (row.step()) out.push_back(row.id<RepositoryId>(0));
  return out;
}

wire::TuningReport tuning_report(Connection& connection, const TuningQuery& query) {
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

}  // namespace kernelgate::db

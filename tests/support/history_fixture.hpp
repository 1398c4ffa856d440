// SPDX-License-Identifier: Apache-2.0
#pragma once

// Test support: a store with the history of one benchmark, "gemm: gemm/64", a commit a figure.

#include <cstddef>
#include <string>
#include <vector>

#include "db/repositories/repositories.hpp"
#include "db/repositories/testbeds.hpp"
#include "db/runs/processes.hpp"
#include "db/runs/runs.hpp"
#include "db/store/database.hpp"

namespace kernelgate::browse {

inline std::string commit_of(std::size_t number) {
  const std::string digits = std::to_string(number);
  return std::string(40 - digits.size(), '0') + digits;
}

inline Status measure_commit(db::Connection& connection, RepositoryId repository, std::size_t number, double ns) {
  const Instant now = from_millis(1795257666123 + static_cast<std::int64_t>(number) * 60000);
  db::NewRun run{.repository = repository, .commit = commit_of(number)};
  run.branch = "main";
  run.subject = "Change " + std::to_string(number);
  run.idempotency_key = commit_of(number);
  run.queued = false;
  const auto added = db::add_run(connection, run, now);
  if (!added) return pass_on(added);
  wire::TestbedFacts facts;
  facts.name = "bench";
  if (auto set = db::set_epoch(connection, added->id, db::enter_epoch(connection, facts, now), "r"); !set) return set;
  Process process;
  process.id = commit_of(number);
  process.suite = "gemm";
  process.side = Side::head;
  process.state_json = "{}";
  process.series.push_back({.benchmark = "gemm/64", .samples_ns = {ns}, .error = {}, .counters = {}});
  if (auto put = db::put_process(connection, added->id, process, now); !put) return pass_on(put);
  db::FinishedRun finished;
  finished.decision.conclusion = Conclusion::passed;
  Comparison& comparison = finished.decision.comparisons.emplace_back();
  comparison.suite = "gemm";
  comparison.benchmark = "gemm/64";
  comparison.verdict = Verdict::unchanged;
  return db::finish_run(connection, added->id, finished, now);
}

// Commits 1, 2, 3 … of the repository, which is made.
inline Status fill_history(db::Database& database, const std::string& repository, const std::vector<double>& medians) {
  return database.write([&](db::Connection& connection) -> Status {
    const auto id = db::add_repository(connection, {.name = repository, .url = "file:///k"}, from_millis(0));
    if (!id) return pass_on(id);
    for (std::size_t i = 0; i < medians.size(); ++i)
      if (auto done = measure_commit(connection, *id, i + 1, medians[i]); !done) return done;
    return {};
  });
}

// Twelve level commits, then ten of +0.5 % each.
inline std::vector<double> creeping() {
  std::vector<double> out;
  for (int i = 0; i < 12; ++i) out.push_back(1e6 + 500 * (i % 2));
  for (double level = 1e6; out.size() < 22;) out.push_back(level *= 1.005);
  return out;
}

}  // namespace kernelgate::browse

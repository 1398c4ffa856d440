// SPDX-License-Identifier: Apache-2.0
#include "db/baselines/calibrations.hpp"

#include "db/runs/run_parts.hpp"

namespace kernelgate::db {
namespace {

std::optional<CountingLimit> counting(Connection& connection, std::int64_t benchmark, EpochId epoch) {
  Statement row = connection.query(
      "SELECT b.degrees, b.detectable, c.calibrated_at FROM calibration_benchmarks b JOIN calibrations c ON c.id = "
      "b.calibration_id WHERE b.benchmark_id = ? AND c.epoch_id = ? AND b.injected = 0 ORDER BY b.degrees DESC, c.id "
      "DESC LIMIT 1",
      benchmark, epoch);
  if (!row.step()) return std::nullopt;
  return CountingLimit{.degrees = static_cast<int>(row.integer(0)), .detectable = row.real(1), .at = row.instant(2)};
}

}  // namespace

std::int64_t add_calibration(Connection& connection, RepositoryId repository, EpochId epoch,
                             const Calibration& calibration) {
  connection.run(
      "INSERT INTO calibrations (repository_id, epoch_id, commit_hash, rule_version, program, calibrated_at) "
      "VALUES (?, ?, ?, ?, ?, ?)",
      repository, epoch, calibration.commit, calibration.rule_version, calibration.program, calibration.at);
  const std::int64_t id = connection.last_insert_id();
  for (const CalibratedBenchmark& each : calibration.benchmarks) {
    connection.run(
        "INSERT INTO calibration_benchmarks (calibration_id, benchmark_id, injected, pairs, ratio, ratio_low, "
        "ratio_high, sum_squares, degrees, detectable, tolerate, catch_limit, trials, regressed, improved, "
        "unchanged, undecided, suspected) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        id, benchmark_row(connection, repository, each.suite, each.benchmark), each.injected, each.pairs, each.ratio,
        each.ratio_low, each.ratio_high, each.sum_squares, each.degrees, each.detectable, each.tolerate,
        each.catch_limit, each.trials, each.regressed, each.improved, each.unchanged, each.undecided, each.suspected);
  }
  return id;
}

std::optional<Calibration> last_calibration(Connection& connection, RepositoryId repository, EpochId epoch) {
  Statement head = connection.query(
      "SELECT id, commit_hash, rule_version, program, calibrated_at FROM calibrations WHERE repository_id = ? AND "
      "epoch_id = ? ORDER BY id DESC LIMIT 1",
      repository, epoch);
  if (!head.step()) return std::nullopt;
  Calibration out;
  out.commit = head.text(1);
  out.rule_version = static_cast<int>(head.integer(2));
  out.program = head.text(3);
  out.at = head.instant(4);
  Statement row = connection.query(
      "SELECT b.suite, b.name, c.injected, c.pairs, c.ratio, c.ratio_low, c.ratio_high, c.sum_squares, c.degrees, "
      "c.detectable, c.tolerate, c.catch_limit, c.trials, c.regressed, c.improved, c.unchanged, c.undecided, "
      "c.suspected FROM calibration_benchmarks c JOIN benchmarks b ON b.id = c.benchmark_id "
      "WHERE c.calibration_id = ? ORDER BY b.suite, b.name, c.injected",
      head.integer(0));
  while (row.step()) {
    CalibratedBenchmark& each = out.benchmarks.emplace_back();
    each.suite = row.text(0);
    each.benchmark = row.text(1);
    each.injected = row.real(2);
    each.pairs = static_cast<int>(row.integer(3));
    each.ratio = row.real(4);
    each.ratio_low = row.real(5);
    each.ratio_high = row.real(6);
    each.sum_squares = row.real(7);
    each.degrees = static_cast<int>(row.integer(8));
    each.detectable = row.real(9);
    each.tolerate = row.real(10);
    each.catch_limit = row.real(11);
    int* const counts[] = {&each.trials,    &each.regressed, &each.improved,
                           &each.unchanged, &each.undecided, &each.suspected};
    for (int i = 0; i < 6; ++i) *counts[i] = static_cast<int>(row.integer(12 + i));
  }
  return out;
}

std::optional<CountingLimit> counting_limit(Connection& connection, RepositoryId repository,
                                            const CalibratedBenchmark& of, EpochId epoch) {
  Statement row = connection.query("SELECT id FROM benchmarks WHERE repository_id = ? AND suite = ? AND name = ?",
                                   repository, of.suite, of.benchmark);
  return row.step() ? counting(connection, row.integer(0), epoch) : std::nullopt;
}

double detectable_shift(Connection& connection, std::int64_t benchmark, EpochId epoch) {
  const auto limit = counting(connection, benchmark, epoch);
  return limit ? limit->detectable : 0;
}

}  // namespace kernelgate::db

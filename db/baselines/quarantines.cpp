// SPDX-License-Identifier: Apache-2.0
#include "db/baselines/quarantines.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/units/limits.hpp"
#include "core/units/time.hpp"
#include "db/accounts/audit.hpp"

namespace kernelgate::db {
namespace {

constexpr std::string_view kSelectQuarantines =
    "SELECT q.id, b.suite, b.name, q.epoch_id, q.actor, q.reason, q.began_at, q.released_at, q.released_by, "
    "q.released_reason FROM quarantines q JOIN benchmarks b ON b.id = q.benchmark_id ";

StoredQuarantine read_quarantine(const Statement& row) {
  return {.id = row.id<QuarantineId>(0),
          .suite = row.text(1),
          .benchmark = row.text(2),
          .epoch = row.maybe_id<EpochId>(3),
          .actor = row.text(4),
          .reason = row.text(5),
          .began_at = row.instant(6),
          .released_at = row.maybe_instant(7),
          .released_by = row.text(8),
          .released_reason = row.text(9),
          .suggestion = {}};
}

// Why a benchmark cannot be judged where it was calibrated; empty: it can. `detectable`: as runs take it, so that few
// pairs do not speak over many.
std::string instability(const CalibratedBenchmark& found, double detectable) {
  if (detectable >= found.catch_limit)
    return fmt::format("{:.3g} % is not detectable, {:.3g} % is", 100 * found.catch_limit, 100 * detectable);
  const bool off = found.ratio_low > 1 + found.tolerate || found.ratio_high < 1 / (1 + found.tolerate);
  if (off) return fmt::format("against itself it is {:+.2f} % off", 100 * (found.ratio - 1));
  // One false alarm may be chance, at a rate of at most 1 in 200 a benchmark; two are noise that the pairs do not show.
  const int alarms = found.regressed + found.improved;
  if (alarms > 1) return fmt::format("against itself {} of {} trials were false alarms", alarms, found.trials);
  return {};
}

// What the last calibration since `began_at` found of the benchmark, where that is good.
std::string suggestion_for(Connection& connection, RepositoryId repository, const StoredQuarantine& quarantine) {
  Statement row = connection.query(
      "SELECT c.ratio, c.ratio_low, c.ratio_high, c.tolerate, c.catch_limit, c.trials, c.regressed, c.improved, "
      "l.calibrated_at, l.epoch_id, b.id FROM calibration_benchmarks c JOIN calibrations l ON l.id = c.calibration_id "
      "JOIN benchmarks b ON b.id = c.benchmark_id WHERE l.repository_id = ? AND b.suite = ? AND b.name = ? "
      "AND c.injected = 0 AND (? OR l.epoch_id = ?) AND l.calibrated_at > ? ORDER BY l.id DESC LIMIT 1",
      repository, quarantine.suite, quarantine.benchmark, !quarantine.epoch.has_value(), quarantine.epoch,
      quarantine.began_at);
  if (!row.step()) return {};
  CalibratedBenchmark found;
  found.ratio = row.real(0);
  found.ratio_low = row.real(1);
  found.ratio_high = row.real(2);
  found.tolerate = row.real(3);
  found.catch_limit = row.real(4);
  found.trials = static_cast<int>(row.integer(5));
  found.regressed = static_cast<int>(row.integer(6));
  found.improved = static_cast<int>(row.integer(7));
  const double detectable = detectable_shift(connection, row.integer(10), row.id<EpochId>(9));
  if (!instability(found, detectable).empty()) return {};
  return fmt::format("calibrated {}: {:.3g} % is detectable; release it", to_iso8601(row.instant(8)).substr(0, 10),
                     100 * detectable);
}

std::optional<std::int64_t> known_benchmark(Connection& connection, const NewQuarantine& wanted) {
  Statement row = connection.query("SELECT id FROM benchmarks WHERE repository_id = ? AND suite = ? AND name = ?",
                                   wanted.repository, wanted.suite, wanted.benchmark);
  if (!row.step()) return std::nullopt;
  return row.integer(0);
}

// The one in force that covers this epoch; without an epoch: any.
std::optional<QuarantineId> covering(Connection& connection, std::int64_t benchmark, std::optional<EpochId> epoch) {
  Statement row = connection.query(
      "SELECT id FROM quarantines WHERE benchmark_id = ? AND released_at IS NULL AND (epoch_id IS NULL OR ? OR "
      "epoch_id = ?) ORDER BY id LIMIT 1",
      benchmark, !epoch.has_value(), epoch);
  if (!row.step()) return std::nullopt;
  return row.id<QuarantineId>(0);
}

std::int64_t count_in_force(Connection& connection, RepositoryId repository) {
  Statement row =
      connection.query("SELECT count(*) FROM quarantines WHERE repository_id = ? AND released_at IS NULL", repository);
  return row.step() ? row.integer(0) : 0;
}

void log(Connection& connection, std::string_view actor, std::string_view action, const std::string& benchmark,
         std::string_view reason, Instant now) {
  log_action(connection,
             {.actor = std::string(actor),
              .action = std::string(action),
              .subject = "benchmark " + benchmark,
              .detail = std::string(reason)},
             now);
}

}  // namespace

Result<QuarantineId> set_quarantine(Connection& connection, const NewQuarantine& wanted, Instant now) {
  const std::string name = wanted.suite + ": " + wanted.benchmark;
  if (wanted.reason.empty()) return fail(Errc::invalid, "a quarantine needs a reason", "/reason", "say why");
  const auto benchmark = known_benchmark(connection, wanted);
  if (!benchmark)
    return fail(Errc::not_found, "no benchmark '" + name + "' was measured", "/benchmark",
                "names are as in a run's table");
  if (const auto other = covering(connection, *benchmark, wanted.epoch))
    return fail(Errc::conflict, "'" + name + "' is quarantined already, by number " + std::to_string(other->value),
                "/benchmark", "release that one first");
  if (count_in_force(connection, wanted.repository) >= limits::kQuarantinesMax)
    return fail(Errc::too_many, std::to_string(limits::kQuarantinesMax) + " benchmarks are quarantined", "/benchmark",
                "release some, or fix the machine");
  connection.run(
      "INSERT INTO quarantines (repository_id, benchmark_id, epoch_id, actor, reason, began_at) VALUES (?, ?, ?, ?, ?, "
      "?)",
      wanted.repository, *benchmark, wanted.epoch, wanted.actor, wanted.reason, now);
  const QuarantineId id{connection.last_insert_id()};
  log(connection, wanted.actor, "benchmark.quarantine", name, wanted.reason, now);
  return id;
}

Status release_quarantine(Connection& connection, const QuarantineRelease& wanted, Instant now) {
  const std::string number = "quarantine " + std::to_string(wanted.id.value);
  if (wanted.reason.empty()) return fail(Errc::invalid, "a release needs a reason", "/reason", "say why");
  std::string name;
  {
    Statement row = connection.query(
        "SELECT b.suite || ': ' || b.name, q.released_at FROM quarantines q JOIN benchmarks b ON b.id = q.benchmark_id "
        "WHERE q.id = ? AND q.repository_id = ?",
        wanted.id, wanted.repository);
    if (!row.step()) return fail(Errc::not_found, "no " + number + " in this repository", "path");
    if (!row.is_null(1)) return fail(Errc::conflict, number + " was released before", "path", "a new one may be set");
    name = row.text(0);
  }
  connection.run("UPDATE quarantines SET released_at = ?, released_by = ?, released_reason = ? WHERE id = ?", now,
                 wanted.actor, wanted.reason, wanted.id);
  log(connection, wanted.actor, "benchmark.release", name, wanted.reason, now);
  return {};
}

Result<StoredQuarantine> get_quarantine(Connection& connection, QuarantineId id) {
  Statement row = connection.query(std::string(kSelectQuarantines) + "WHERE q.id = ?", id);
  if (!row.step()) return fail(Errc::not_found, "no quarantine " + std::to_string(id.value), "path");
  return read_quarantine(row);
}

std::vector<StoredQuarantine> list_quarantines(Connection& connection, RepositoryId repository, bool released,
                                               const Page& page) {
  std::vector<StoredQuarantine> out;
  {
    Statement row = connection.query(
        std::string(kSelectQuarantines) +
            "WHERE q.repository_id = ? AND q.id < ? AND (? OR q.released_at IS NULL) ORDER BY q.id DESC LIMIT ?",
        repository, first_below(page), released, row_limit(page));
    while (row.step()) out.push_back(read_quarantine(row));
  }
  for (StoredQuarantine& one : out)
    if (!one.released_at) one.suggestion = suggestion_for(connection, repository, one);
  return out;
}

wire::QuarantineRecord to_wire(const StoredQuarantine& one) {
  wire::QuarantineRecord out{.id = one.id.value,
                             .suite = one.suite,
                             .benchmark = one.benchmark,
                             .epoch = {},
                             .actor = one.actor,
                             .reason = one.reason,
                             .began_at = one.began_at,
                             .released_at = one.released_at,
                             .released_by = one.released_by,
                             .released_reason = one.released_reason,
                             .suggestion = one.suggestion};
  if (one.epoch) out.epoch = one.epoch->value;
  return out;
}

std::vector<Quarantine> quarantines_in_force(Connection& connection, RepositoryId repository,
                                             std::optional<EpochId> epoch) {
  Statement row = connection.query(std::string(kSelectQuarantines) +
                                       "WHERE q.repository_id = ? AND q.released_at IS NULL AND (q.epoch_id IS NULL OR "
                                       "q.epoch_id = ?) ORDER BY q.id",
                                   repository, epoch);
  std::vector<Quarantine> out;
  while (row.step())
    out.push_back({.id = row.integer(0),
                   .suite = row.text(1),
                   .benchmark = row.text(2),
                   .actor = row.text(4),
                   .reason = row.text(5)});
  return out;
}

std::vector<std::string> quarantine_unstable(Connection& connection, RepositoryId repository, EpochId epoch,
                                             const Calibration& calibration) {
  std::vector<std::string> out;
  for (const CalibratedBenchmark& found : calibration.benchmarks) {
    if (found.injected != 0 || found.suite == kCalibrationSuite) continue;
    const auto limit = counting_limit(connection, repository, found, epoch);
    const std::string why = instability(found, limit ? limit->detectable : found.detectable);
    if (why.empty()) continue;
    const auto made = set_quarantine(connection,
                                     {.repository = repository,
                                      .suite = found.suite,
                                      .benchmark = found.benchmark,
                                      .epoch = epoch,
                                      .actor = std::string(kByCalibration),
                                      .reason = why},
                                     calibration.at);
    if (made) out.push_back(found.suite + ": " + found.benchmark + ": " + why);
  }
  return out;
}

}  // namespace kernelgate::db

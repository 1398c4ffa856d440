// SPDX-License-Identifier: Apache-2.0
#include "db/baselines/quarantines.hpp"

namespace kernelgate::db {
namespace {

constexpr std::string_view kSelectQuarantines =
    "SELECT q.id, b.suite, b.name, q.epoch_id, q.actor, q.reason, q.began_at, q.released_at, q.released_by, "
    "q.released_reason, q.repository_id FROM quarantines q JOIN benchmarks b ON b.id = q.benchmark_id ";

StoredQuarantine read_quarantine(const Statement& row) {
  return {.id = row.id<QuarantineId>(0),
          .repository = row.id<RepositoryId>(10),
          .suite = row.text(1),
          .benchmark = row.text(2),
          .epoch = row.maybe_id<EpochId>(3),
          .actor = row.text(4),
          .reason = row.text(5),
          .began_at = row.instant(6),
          .released_at = row.maybe_instant(7),
          .released_by = row.text(8),
          .released_reason = row.text(9)};
}

}  // namespace

std::optional<std::int64_t> find_benchmark(Connection& connection, RepositoryId repository, std::string_view suite,
                                           std::string_view name) {
  Statement row = connection.query("SELECT id FROM benchmarks WHERE repository_id = ? AND suite = ? AND name = ?",
                                   repository, suite, name);
  if (!row.step()) return std::nullopt;
  return row.integer(0);
}

std::optional<QuarantineId> covering_quarantine(Connection& connection, std::int64_t benchmark,
                                                std::optional<EpochId> epoch) {
  Statement row = connection.query(
      "SELECT id FROM quarantines WHERE benchmark_id = ? AND released_at IS NULL AND (epoch_id IS NULL OR ? OR "
      "epoch_id = ?) ORDER BY id LIMIT 1",
      benchmark, !epoch.has_value(), epoch);
  if (!row.step()) return std::nullopt;
  return row.id<QuarantineId>(0);
}

std::int64_t count_quarantines(Connection& connection, RepositoryId repository) {
  Statement row =
      connection.query("SELECT count(*) FROM quarantines WHERE repository_id = ? AND released_at IS NULL", repository);
  return row.step() ? row.integer(0) : 0;
}

QuarantineId add_quarantine(Connection& connection, const NewQuarantine& one, std::int64_t benchmark, Instant now) {
  connection.run(
      "INSERT INTO quarantines (repository_id, benchmark_id, epoch_id, actor, reason, began_at) VALUES (?, ?, ?, ?, ?, "
      "?)",
      one.repository, benchmark, one.epoch, one.actor, one.reason, now);
  return QuarantineId{connection.last_insert_id()};
}

void put_release(Connection& connection, const QuarantineRelease& release, Instant now) {
  connection.run("UPDATE quarantines SET released_at = ?, released_by = ?, released_reason = ? WHERE id = ?", now,
                 release.actor, release.reason, release.id);
}

std::optional<LaterTrial> later_trial(Connection& connection, const StoredQuarantine& quarantine) {
  Statement row = connection.query(
      "SELECT c.ratio, c.ratio_low, c.ratio_high, c.tolerate, c.catch_limit, c.trials, c.regressed, c.improved, "
      "l.calibrated_at, l.epoch_id, b.id FROM calibration_benchmarks c JOIN calibrations l ON l.id = c.calibration_id "
      "JOIN benchmarks b ON b.id = c.benchmark_id WHERE l.repository_id = ? AND b.suite = ? AND b.name = ? "
      "AND c.injected = 0 AND (? OR l.epoch_id = ?) AND l.calibrated_at > ? ORDER BY l.id DESC LIMIT 1",
      quarantine.repository, quarantine.suite, quarantine.benchmark, !quarantine.epoch.has_value(), quarantine.epoch,
      quarantine.began_at);
  if (!row.step()) return std::nullopt;
  LaterTrial out;
  out.found.ratio = row.real(0);
  out.found.ratio_low = row.real(1);
  out.found.ratio_high = row.real(2);
  out.found.tolerate = row.real(3);
  out.found.catch_limit = row.real(4);
  out.found.trials = static_cast<int>(row.integer(5));
  out.found.regressed = static_cast<int>(row.integer(6));
  out.found.improved = static_cast<int>(row.integer(7));
  out.at = row.instant(8);
  out.detectable = detectable_shift(connection, row.integer(10), row.id<EpochId>(9));
  return out;
}

Result<StoredQuarantine> get_quarantine(Connection& connection, QuarantineId id) {
  Statement row = connection.query(std::string(kSelectQuarantines) + "WHERE q.id = ?", id);
  if (!row.step()) return fail(Errc::not_found, "no quarantine " + std::to_string(id.value), "path");
  return read_quarantine(row);
}

std::vector<StoredQuarantine> list_quarantines(Connection& connection, RepositoryId repository, bool released,
                                               const Page& page) {
  Statement row = connection.query(
      std::string(kSelectQuarantines) +
          "WHERE q.repository_id = ? AND q.id < ? AND (? OR q.released_at IS NULL) ORDER BY q.id DESC LIMIT ?",
      repository, first_below(page), released, row_limit(page));
  std::vector<StoredQuarantine> out;
  while (row.step()) out.push_back(read_quarantine(row));
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
                             .suggestion = {}};
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

}  // namespace kernelgate::db

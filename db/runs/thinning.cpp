// SPDX-License-Identifier: Apache-2.0
#include "db/runs/thinning.hpp"

#include <span>
#include <string>
#include <string_view>

#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

// A run whose samples somebody will compare with: a baseline's, and the sessions of its commit and epoch.
constexpr std::string_view kIsKept =
    "(EXISTS (SELECT 1 FROM baselines l WHERE l.run_id = r.id) OR (r.base_kind = 'none' AND EXISTS (SELECT 1 FROM "
    "baselines l JOIN runs o ON o.id = l.run_id WHERE o.head_id = r.head_id AND l.epoch_id = r.epoch_id)))";
constexpr std::string_view kIsOld = "r.finished_at IS NOT NULL AND r.finished_at < ? AND r.thinned_at IS NULL";

}  // namespace

std::vector<RunId> old_runs(Connection& connection, Instant before, int runs_max) {
  Statement row = connection.query("SELECT r.id FROM runs r WHERE " + std::string(kIsOld) + " AND NOT " +
                                       std::string(kIsKept) + " ORDER BY r.id LIMIT ?",
                                   before, runs_max > 0 ? runs_max : -1);
  std::vector<RunId> out;
  while (row.step()) out.push_back(row.id<RunId>(0));
  return out;
}

std::vector<SampleRow> samples_of(Connection& connection, RunId run) {
  Statement row = connection.query(
      "SELECT s.process_id, s.position, s.samples FROM series s JOIN processes p ON p.id = s.process_id "
      "WHERE p.run_id = ?",
      run);
  std::vector<SampleRow> out;
  while (row.step())
    out.push_back({.process = row.integer(0), .position = row.integer(1), .samples = unpack(row.blob(2))});
  return out;
}

void put_samples(Connection& connection, const SampleRow& row) {
  const auto packed = pack(row.samples);
  connection.run("UPDATE series SET samples = ? WHERE process_id = ? AND position = ?",
                 std::span<const std::byte>(packed), row.process, row.position);
}

void mark_thinned(Connection& connection, RunId run, Instant now) {
  connection.run("UPDATE runs SET thinned_at = ? WHERE id = ?", now, run);
}

std::int64_t count_kept_runs(Connection& connection, Instant before) {
  Statement row = connection.query(
      "SELECT count(*) FROM runs r WHERE " + std::string(kIsOld) + " AND " + std::string(kIsKept), before);
  return row.step() ? row.integer(0) : 0;
}

std::int64_t free_bytes(Connection& connection) {
  Statement row = connection.query(
      "SELECT (SELECT freelist_count FROM pragma_freelist_count) * (SELECT page_size FROM pragma_page_size)");
  return row.step() ? row.integer(0) : 0;
}

}  // namespace kernelgate::db

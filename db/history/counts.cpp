// SPDX-License-Identifier: Apache-2.0
#include "db/history/counts.hpp"

namespace kernelgate::db {
namespace {

std::int64_t single(Connection& connection, std::string_view sql) {
  Statement row = connection.query(sql);
  return row.step() ? row.integer(0) : 0;
}

}  // namespace

Counts count_all(Connection& connection) {
  Counts counts;
  Statement state = connection.query("SELECT state, coalesce(conclusion, ''), count(*) FROM runs GROUP BY 1, 2");
  while (state.step()) {
    counts.runs_by_state[state.text(0)] += state.integer(2);
    if (!state.text(1).empty()) counts.runs_by_conclusion[state.text(1)] += state.integer(2);
  }
  counts.jobs_queued = single(connection, "SELECT count(*) FROM jobs WHERE lease_sha256 IS NULL");
  counts.jobs_leased = single(connection, "SELECT count(*) FROM jobs WHERE lease_sha256 IS NOT NULL");
  Statement oldest = connection.query(
      "SELECT min(r.created_at) FROM jobs j JOIN runs r ON r.id = j.run_id WHERE j.lease_sha256 IS "
      "NULL");
  if (oldest.step()) counts.oldest_queued_at = oldest.maybe_instant(0);
  // Neither ever loses a row, so the last one's number is how many there are.
  counts.processes = single(connection, "SELECT max(rowid) FROM processes");
  counts.series = single(connection, "SELECT max(rowid) FROM series");
  const std::int64_t pages = single(connection, "PRAGMA page_count");
  counts.file = Bytes{static_cast<std::uint64_t>(pages * single(connection, "PRAGMA page_size"))};
  return counts;
}

}  // namespace kernelgate::db

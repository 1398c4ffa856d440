// SPDX-License-Identifier: Apache-2.0
#include "db/runs/thinning.hpp"

#include "core/stats/summary.hpp"
#include "core/units/time.hpp"
#include "db/accounts/audit.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

constexpr int kRunsAtOnce = 20;  // of one transaction: other writers wait for them

// A run whose samples somebody will compare with: a baseline's, and the sessions of its commit and epoch.
constexpr std::string_view kIsKept =
    "(EXISTS (SELECT 1 FROM baselines l WHERE l.run_id = r.id) OR (r.base_kind = 'none' AND EXISTS (SELECT 1 FROM "
    "baselines l JOIN runs o ON o.id = l.run_id WHERE o.head_id = r.head_id AND l.epoch_id = r.epoch_id)))";
constexpr std::string_view kIsOld = "r.finished_at IS NOT NULL AND r.finished_at < ? AND r.thinned_at IS NULL";

std::vector<RunId> old_runs(Connection& connection, const ThinningWanted& wanted) {
  Statement row = connection.query("SELECT r.id FROM runs r WHERE " + std::string(kIsOld) + " AND NOT " +
                                       std::string(kIsKept) + " ORDER BY r.id LIMIT ?",
                                   wanted.before, wanted.runs_max > 0 ? wanted.runs_max : -1);
  std::vector<RunId> out;
  while (row.step()) out.push_back(row.id<RunId>(0));
  return out;
}

struct Shorter {
  std::int64_t process = 0, position = 0, saved = 0;
  std::vector<std::byte> samples;
};

std::vector<Shorter> shorter_series(Connection& connection, RunId run) {
  Statement row = connection.query(
      "SELECT s.process_id, s.position, s.samples FROM series s JOIN processes p ON p.id = s.process_id "
      "WHERE p.run_id = ?",
      run);
  std::vector<Shorter> out;
  while (row.step()) {
    const std::vector<double> samples = unpack(row.blob(2));
    const std::vector<double> kept = thinned(samples);
    if (kept.size() == samples.size()) continue;
    const auto saved = static_cast<std::int64_t>((samples.size() - kept.size()) * sizeof(double));
    out.push_back({.process = row.integer(0), .position = row.integer(1), .saved = saved, .samples = pack(kept)});
  }
  return out;
}

void log_thinning(Connection& connection, const std::string& actor, const Thinned& done, Instant before, Instant now) {
  if (done.runs == 0) return;
  log_action(connection,
             {.actor = actor,
              .action = "store.thin",
              .subject = "runs before " + to_iso8601(before).substr(0, 10),
              .detail = std::to_string(done.runs) + " runs, " + std::to_string(done.bytes) + " bytes of samples"},
             now);
}

// Old enough, but baselines or sessions of baselines.
std::int64_t kept_runs(Connection& connection, Instant before) {
  Statement row = connection.query(
      "SELECT count(*) FROM runs r WHERE " + std::string(kIsOld) + " AND " + std::string(kIsKept), before);
  return row.step() ? row.integer(0) : 0;
}

// Of the file: pages that hold nothing and are used before it grows.
std::int64_t free_bytes(Connection& connection) {
  Statement row = connection.query(
      "SELECT (SELECT freelist_count FROM pragma_freelist_count) * (SELECT page_size FROM pragma_page_size)");
  return row.step() ? row.integer(0) : 0;
}

}  // namespace

std::vector<double> thinned(std::span<const double> samples) {
  const bool even = samples.size() % 2 == 0;
  if (samples.size() <= (even ? 6U : 5U) || !stats::check_sample(samples, "samples"))
    return {samples.begin(), samples.end()};
  const std::vector<double> sorted = stats::sorted(samples);
  const std::size_t middle = sorted.size() / 2;
  std::vector<double> out{sorted.front(), stats::quantile(sorted, .25).value()};
  if (even) out.push_back(sorted[middle - 1]);
  out.insert(out.end(), {sorted[middle], stats::quantile(sorted, .75).value(), sorted.back()});
  return out;
}

Thinned thin(Connection& connection, const ThinningWanted& wanted, const std::string& actor, Instant now) {
  Thinned out;
  for (const RunId run : old_runs(connection, wanted)) {
    ++out.runs;
    for (const Shorter& one : shorter_series(connection, run)) {
      ++out.series;
      out.bytes += one.saved;
      if (!wanted.dry_run)
        connection.run("UPDATE series SET samples = ? WHERE process_id = ? AND position = ?",
                       std::span<const std::byte>(one.samples), one.process, one.position);
    }
    if (!wanted.dry_run) connection.run("UPDATE runs SET thinned_at = ? WHERE id = ?", now, run);
  }
  if (!wanted.dry_run) log_thinning(connection, actor, out, wanted.before, now);
  return out;
}

Result<wire::PruneReply> thin_store(Database& database, const ThinningWanted& wanted, const std::string& actor,
                                    Instant now) {
  ThinningWanted batch = wanted;
  if (!wanted.dry_run) batch.runs_max = kRunsAtOnce;
  const auto work = [&](Connection& connection) { return thin(connection, batch, actor, now); };
  wire::PruneReply out;
  out.dry_run = wanted.dry_run;
  for (bool more = true; more;) {
    const auto done = wanted.dry_run ? database.read(work) : database.write(work);
    if (!done) return pass_on(done);
    out.runs += done->runs;
    out.series += done->series;
    out.bytes += done->bytes;
    more = !wanted.dry_run && done->runs == kRunsAtOnce;
  }
  const Status counted = database.read([&](Connection& connection) {
    out.kept_runs = kept_runs(connection, wanted.before);
    out.free_bytes = free_bytes(connection);
    return Status();
  });
  if (!counted) return pass_on(counted);
  return out;
}

}  // namespace kernelgate::db

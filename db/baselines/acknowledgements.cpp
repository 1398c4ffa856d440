// SPDX-License-Identifier: Apache-2.0
#include "db/baselines/acknowledgements.hpp"

#include <algorithm>
#include <set>

namespace kernelgate::db {
namespace {

constexpr std::string_view kSelectAcknowledgements =
    "SELECT id, repository_id, run_id, epoch_id, match, actor, reason, accepted_at, expires_at, revoked_at, "
    "revoked_by, revoked_reason, pull_request, merged_at FROM acknowledgements ";

StoredAcknowledgement read_acknowledgement(const Statement& row) {
  return {.id = row.id<AcknowledgementId>(0),
          .repository = row.id<RepositoryId>(1),
          .run = row.id<RunId>(2),
          .epoch = row.id<EpochId>(3),
          .match = row.text(4),
          .actor = row.text(5),
          .reason = row.text(6),
          .accepted_at = row.instant(7),
          .expires_at = row.maybe_instant(8),
          .revoked_at = row.maybe_instant(9),
          .revoked_by = row.text(10),
          .revoked_reason = row.text(11),
          .pull_request = row.maybe_integer(12),
          .merged_at = row.maybe_instant(13),
          .benchmarks = {}};
}

void read_benchmarks(Connection& connection, StoredAcknowledgement& out) {
  Statement row = connection.query(
      "SELECT b.suite, b.name, a.ratio, a.head_median_ns FROM acknowledged_benchmarks a JOIN benchmarks b ON b.id = "
      "a.benchmark_id WHERE a.acknowledgement_id = ? ORDER BY b.suite, b.name",
      out.id);
  while (row.step())
    out.benchmarks.push_back(
        {.suite = row.text(0), .benchmark = row.text(1), .ratio = row.real(2), .head_median_ns = row.real(3)});
}

std::string subject_of(AcknowledgementId id) { return "acknowledgement " + std::to_string(id.value); }

std::set<std::int64_t> benchmarks_of(Connection& connection, AcknowledgementId id) {
  Statement row = connection.query("SELECT benchmark_id FROM acknowledged_benchmarks WHERE acknowledgement_id = ?", id);
  std::set<std::int64_t> out;
  while (row.step()) out.insert(row.integer(0));
  return out;
}

}  // namespace

std::vector<RegressedBenchmark> regressed_benchmarks(Connection& connection, RunId run) {
  Statement row = connection.query(
      "SELECT c.benchmark_id, c.ratio, c.head_median_ns, b.name FROM comparisons c JOIN benchmarks b ON b.id = "
      "c.benchmark_id WHERE c.run_id = ? AND c.verdict = 'regressed' AND c.ratio IS NOT NULL AND c.head_median_ns IS "
      "NOT NULL ORDER BY c.position",
      run);
  std::vector<RegressedBenchmark> out;
  while (row.step())
    out.push_back({.row = row.integer(0), .name = row.text(3), .ratio = row.real(1), .head_median_ns = row.real(2)});
  return out;
}

std::optional<StandingAcceptance> standing_acceptance(Connection& connection, const Acceptance& wanted,
                                                      const std::vector<RegressedBenchmark>& regressed, Instant now) {
  Statement row = connection.query(
      "SELECT id, actor, reason, expires_at FROM acknowledgements WHERE run_id = ? AND revoked_at IS NULL AND "
      "(expires_at IS NULL OR expires_at > ?) AND pull_request IS ? ORDER BY id DESC",
      wanted.run, now, wanted.pull_request);
  while (row.step()) {
    const auto id = row.id<AcknowledgementId>(0);
    const std::set<std::int64_t> held = benchmarks_of(connection, id);
    const bool all = std::all_of(regressed.begin(), regressed.end(),
                                 [&](const RegressedBenchmark& one) { return held.count(one.row) > 0; });
    if (all)
      return StandingAcceptance{.id = id,
                                .actor = row.text(1),
                                .reason = row.text(2),
                                .expires_at = row.maybe_instant(3),
                                .benchmarks = held.size()};
  }
  return std::nullopt;
}

AcknowledgementId add_acknowledgement(Connection& connection, const Acceptance& acceptance, EpochId epoch,
                                      const std::vector<RegressedBenchmark>& regressed, Instant now) {
  connection.run(
      "INSERT INTO acknowledgements (repository_id, run_id, epoch_id, match, actor, reason, accepted_at, expires_at, "
      "pull_request) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      acceptance.repository, acceptance.run, epoch, acceptance.match, acceptance.actor, acceptance.reason, now,
      acceptance.expires_at, acceptance.pull_request);
  const AcknowledgementId id{connection.last_insert_id()};
  for (const RegressedBenchmark& one : regressed)
    connection.run(
        "INSERT INTO acknowledged_benchmarks (acknowledgement_id, benchmark_id, ratio, head_median_ns) VALUES (?, ?, "
        "?, "
        "?)",
        id, one.row, one.ratio, one.head_median_ns);
  return id;
}

void put_revocation(Connection& connection, const Revocation& revocation, Instant now) {
  connection.run("UPDATE acknowledgements SET revoked_at = ?, revoked_by = ?, revoked_reason = ? WHERE id = ?", now,
                 revocation.actor, revocation.reason, revocation.id);
}

Result<StoredAcknowledgement> get_acknowledgement(Connection& connection, AcknowledgementId id) {
  Statement row = connection.query(std::string(kSelectAcknowledgements) + "WHERE id = ?", id);
  if (!row.step()) return fail(Errc::not_found, "no " + subject_of(id), "id");
  StoredAcknowledgement out = read_acknowledgement(row);
  read_benchmarks(connection, out);
  return out;
}

std::vector<StoredAcknowledgement> list_acknowledgements(Connection& connection, RepositoryId repository,
                                                         const Page& page) {
  std::vector<StoredAcknowledgement> out;
  Statement row = connection.query(
      std::string(kSelectAcknowledgements) + "WHERE repository_id = ? AND id < ? ORDER BY id DESC LIMIT ?", repository,
      first_below(page), row_limit(page));
  while (row.step()) out.push_back(read_acknowledgement(row));
  for (StoredAcknowledgement& one : out) read_benchmarks(connection, one);
  return out;
}

std::optional<std::int64_t> pull_request_of(Connection& connection, RunId run) {
  Statement row = connection.query(
      "SELECT coalesce(r.pull_request, (SELECT o.pull_request FROM runs o WHERE o.head_id = r.head_id AND "
      "o.pull_request IS NOT NULL ORDER BY o.id DESC LIMIT 1)) FROM runs r JOIN repositories p ON p.id = "
      "r.repository_id WHERE r.id = ? AND NOT EXISTS (SELECT 1 FROM runs m WHERE m.head_id = r.head_id AND m.trust = "
      "'trusted' AND m.pull_request IS NULL AND m.branch = p.default_branch)",
      run);
  return row.step() ? row.maybe_integer(0) : std::nullopt;
}

void note_merged(Connection& connection, RepositoryId repository, std::string_view commit, Instant now) {
  connection.run(
      "UPDATE acknowledgements SET merged_at = ?1 WHERE repository_id = ?2 AND pull_request IS NOT NULL AND merged_at "
      "IS "
      "NULL AND EXISTS (SELECT 1 FROM commits h JOIN runs z ON z.head_id = h.id JOIN comparisons c ON c.run_id = "
      "coalesce(z.reused_from, z.id) JOIN acknowledged_benchmarks l ON l.benchmark_id = c.benchmark_id WHERE "
      "h.repository_id = ?2 AND h.hash = ?3 AND z.pull_request = acknowledgements.pull_request AND c.verdict = "
      "'regressed' AND l.acknowledgement_id = acknowledgements.id)",
      now, repository, commit);
}

std::vector<Acknowledgement> acknowledgements_in_force(Connection& connection, RepositoryId repository, EpochId epoch,
                                                       std::optional<std::int64_t> pull_request, Instant now) {
  Statement row = connection.query(
      "SELECT a.id, b.suite, b.name, l.ratio, l.head_median_ns, a.actor, a.reason FROM acknowledgements a JOIN "
      "acknowledged_benchmarks l ON l.acknowledgement_id = a.id JOIN benchmarks b ON b.id = l.benchmark_id WHERE "
      "a.repository_id = ? AND a.epoch_id = ? AND a.revoked_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > "
      "?) AND (a.pull_request IS NULL OR a.merged_at IS NOT NULL OR a.pull_request = ?) ORDER BY a.id DESC, b.suite, "
      "b.name",
      repository, epoch, now, pull_request);
  std::vector<Acknowledgement> out;
  while (row.step())
    out.push_back({.id = row.integer(0),
                   .suite = row.text(1),
                   .benchmark = row.text(2),
                   .ratio = row.real(3),
                   .head_median_ns = row.real(4),
                   .actor = row.text(5),
                   .reason = row.text(6)});
  return out;
}

bool verdict_stands(Connection& connection, RunId judged, std::optional<std::int64_t> pull_request, Instant now) {
  Statement changed = connection.query(
      "SELECT 1 FROM runs r JOIN acknowledgements a ON a.repository_id = r.repository_id AND a.epoch_id = r.epoch_id "
      "WHERE r.id = ?1 AND (a.accepted_at >= r.finished_at OR a.revoked_at >= r.finished_at OR a.merged_at >= "
      "r.finished_at OR (a.expires_at > r.finished_at AND a.expires_at <= ?2)) LIMIT 1",
      judged, now);
  if (changed.step()) return false;
  Statement of_one_alone = connection.query(
      "SELECT 1 FROM runs r JOIN acknowledgements a ON a.repository_id = r.repository_id AND a.epoch_id = r.epoch_id "
      "WHERE r.id = ?1 AND a.revoked_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > ?2) AND a.pull_request IS "
      "NOT NULL AND a.merged_at IS NULL AND (a.pull_request IS r.pull_request) <> (a.pull_request IS ?3) LIMIT 1",
      judged, now, pull_request);
  if (of_one_alone.step()) return false;
  Statement set_aside = connection.query(
      "SELECT 1 FROM runs r JOIN quarantines q ON q.repository_id = r.repository_id AND (q.epoch_id IS NULL OR "
      "q.epoch_id = r.epoch_id) WHERE r.id = ? AND (q.began_at >= r.finished_at OR q.released_at >= r.finished_at) "
      "LIMIT 1",
      judged);
  if (set_aside.step()) return false;
  Statement promoted = connection.query(
      "SELECT 1 FROM runs r JOIN baselines l ON l.repository_id = r.repository_id AND l.epoch_id = r.epoch_id AND "
      "l.promoted_at >= r.finished_at WHERE r.id = ? AND EXISTS (SELECT 1 FROM comparisons c WHERE c.run_id = r.id AND "
      "c.against = 'stored') LIMIT 1",
      judged);
  return !promoted.step();
}

wire::AcknowledgementRecord to_wire(const StoredAcknowledgement& acknowledgement) {
  wire::AcknowledgementRecord out{.id = acknowledgement.id.value,
                                  .run = acknowledgement.run.value,
                                  .epoch = acknowledgement.epoch.value,
                                  .match = acknowledgement.match,
                                  .actor = acknowledgement.actor,
                                  .reason = acknowledgement.reason,
                                  .accepted_at = acknowledgement.accepted_at,
                                  .expires_at = acknowledgement.expires_at,
                                  .revoked_at = acknowledgement.revoked_at,
                                  .revoked_by = acknowledgement.revoked_by,
                                  .revoked_reason = acknowledgement.revoked_reason,
                                  .pull_request = acknowledgement.pull_request,
                                  .merged_at = acknowledgement.merged_at,
                                  .benchmarks = {}};
  for (const AcceptedBenchmark& one : acknowledgement.benchmarks)
    out.benchmarks.push_back(
        {.suite = one.suite, .benchmark = one.benchmark, .ratio = one.ratio, .head_median_ns = one.head_median_ns});
  return out;
}

}  // namespace kernelgate::db

// SPDX-License-Identifier: Apache-2.0
#include "db/baselines/acknowledgements.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include "core/decision/evidence/match.hpp"
#include "core/decision/evidence/policy.hpp"
#include "db/accounts/audit.hpp"
#include "db/repositories/testbeds.hpp"
#include "db/runs/runs.hpp"

namespace kernelgate::db {
namespace {

struct Regressed {
  std::int64_t benchmark;
  double ratio, head_median_ns;
};

std::vector<Regressed> regressed_of(Connection& connection, RunId run, const std::string& match) {
  Statement row = connection.query(
      "SELECT c.benchmark_id, c.ratio, c.head_median_ns, b.name FROM comparisons c JOIN benchmarks b ON b.id = "
      "c.benchmark_id WHERE c.run_id = ? AND c.verdict = 'regressed' AND c.ratio IS NOT NULL AND c.head_median_ns IS "
      "NOT NULL ORDER BY c.position",
      run);
  const std::regex wanted = compile_match(match);
  std::vector<Regressed> out;
  while (row.step())
    if (std::regex_search(row.text(3), wanted))
      out.push_back({.benchmark = row.integer(0), .ratio = row.real(1), .head_median_ns = row.real(2)});
  return out;
}

Status check_words(const Acceptance& acceptance, Instant now) {
  if (const Status good = check_match(acceptance.match); !good)
    return fail(Errc::invalid, "the expression " + good.error().what, "match", good.error().fix);
  if (acceptance.reason.empty())
    return fail(Errc::invalid, "to accept a regression needs a reason", "reason", "say why");
  if (acceptance.expires_at && *acceptance.expires_at <= now)
    return fail(Errc::invalid, "the acknowledgement would be over at once", "expires_at", "give a time to come");
  return {};
}

// The run that measured what `run` shows.
Result<Run> measured_run(Connection& connection, const Acceptance& acceptance) {
  const auto refuse = [](RunId id, const std::string& why) {
    return fail(Errc::conflict, "run " + std::to_string(id.value) + " has nothing to accept: " + why, "run",
                "name a run that ended regressed in the present epoch");
  };
  auto run = get_run(connection, acceptance.run);
  if (run && run->reused_from) run = get_run(connection, *run->reused_from);
  if (!run) return run;
  if (run->repository_id != acceptance.repository) return refuse(run->id, "it belongs to another repository");
  if (run->state != RunState::done) return refuse(run->id, "it is " + std::string(to_string(run->state)));
  if (!run->epoch) return refuse(run->id, "it has no epoch");
  if (is_over(connection, *run->epoch)) return refuse(run->id, "its epoch is over: the testbed has changed since");
  return run;
}

constexpr std::string_view kSelect =
    "SELECT id, repository_id, run_id, epoch_id, match, actor, reason, accepted_at, expires_at, revoked_at, "
    "revoked_by, revoked_reason FROM acknowledgements ";

StoredAcknowledgement read(const Statement& row) {
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

struct Standing {
  AcknowledgementId id;
  std::string actor, reason;
  std::optional<Instant> expires_at;
  std::size_t benchmarks = 0;
};

std::set<std::int64_t> benchmarks_of(Connection& connection, AcknowledgementId id) {
  Statement row = connection.query("SELECT benchmark_id FROM acknowledged_benchmarks WHERE acknowledgement_id = ?", id);
  std::set<std::int64_t> out;
  while (row.step()) out.insert(row.integer(0));
  return out;
}

// The newest one in force of this run that holds every one of these benchmarks.
std::optional<Standing> standing_of(Connection& connection, RunId run, const std::vector<Regressed>& regressed,
                                    Instant now) {
  Statement row = connection.query(
      "SELECT id, actor, reason, expires_at FROM acknowledgements WHERE run_id = ? AND revoked_at IS NULL AND "
      "(expires_at IS NULL OR expires_at > ?) ORDER BY id DESC",
      run, now);
  while (row.step()) {
    const auto id = row.id<AcknowledgementId>(0);
    const std::set<std::int64_t> held = benchmarks_of(connection, id);
    const bool all = std::all_of(regressed.begin(), regressed.end(),
                                 [&](const Regressed& one) { return held.count(one.benchmark) > 0; });
    if (all)
      return Standing{.id = id,
                      .actor = row.text(1),
                      .reason = row.text(2),
                      .expires_at = row.maybe_instant(3),
                      .benchmarks = held.size()};
  }
  return std::nullopt;
}

// Days are the unit in which an expiry is asked for.
bool is_same_expiry(const std::optional<Instant>& a, const std::optional<Instant>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return (*a < *b ? *b - *a : *a - *b) < std::chrono::hours(24);
}

AcknowledgementId insert(Connection& connection, const Acceptance& acceptance, const Run& run,
                         const std::vector<Regressed>& regressed, Instant now) {
  connection.run(
      "INSERT INTO acknowledgements (repository_id, run_id, epoch_id, match, actor, reason, accepted_at, expires_at) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      acceptance.repository, run.id, run.epoch, acceptance.match, acceptance.actor, acceptance.reason, now,
      acceptance.expires_at);
  const AcknowledgementId id{connection.last_insert_id()};
  for (const Regressed& one : regressed)
    connection.run(
        "INSERT INTO acknowledged_benchmarks (acknowledgement_id, benchmark_id, ratio, head_median_ns) VALUES (?, ?, "
        "?, "
        "?)",
        id, one.benchmark, one.ratio, one.head_median_ns);
  return id;
}

}  // namespace

Result<AcknowledgementId> accept(Connection& connection, const Acceptance& acceptance, Instant now) {
  if (const Status good = check_words(acceptance, now); !good) return pass_on(good);
  const auto run = measured_run(connection, acceptance);
  if (!run) return pass_on(run);
  const std::vector<Regressed> regressed = regressed_of(connection, run->id, acceptance.match);
  if (regressed.empty())
    return fail(
        Errc::conflict,
        "no regressed benchmark of run " + std::to_string(run->id.value) + " matches '" + acceptance.match + "'",
        "match", "look at the run's comparisons");
  const auto standing = standing_of(connection, run->id, regressed, now);
  if (standing && standing->reason == acceptance.reason && is_same_expiry(standing->expires_at, acceptance.expires_at))
    return fail(
        Errc::conflict,
        "it is already accepted: " + subject_of(standing->id) + " by " + standing->actor + ": " + standing->reason,
        "run " + std::to_string(run->id.value), "nothing to do; another reason or expiry replaces it, revoke ends it");
  const AcknowledgementId id = insert(connection, acceptance, *run, regressed, now);
  log_action(connection,
             {.actor = acceptance.actor,
              .action = "regression.accept",
              .subject = "run " + std::to_string(run->id.value),
              .detail = subject_of(id) + ", '" + acceptance.match + "': " + acceptance.reason},
             now);
  if (!standing || standing->benchmarks > regressed.size()) return id;  // one that holds more goes on for the others
  const Status replaced = revoke(connection,
                                 {.repository = acceptance.repository,
                                  .id = standing->id,
                                  .actor = acceptance.actor,
                                  .reason = "replaced by " + subject_of(id)},
                                 now);
  if (!replaced) return pass_on(replaced);
  return id;
}

Status revoke(Connection& connection, const Revocation& revoke, Instant now) {
  if (revoke.reason.empty()) return fail(Errc::invalid, "to revoke needs a reason", "reason", "say why");
  const auto known = get_acknowledgement(connection, revoke.id);
  if (!known || known->repository != revoke.repository)
    return fail(Errc::not_found, "no " + subject_of(revoke.id), "id");
  if (known->revoked_at)
    return fail(Errc::conflict, subject_of(revoke.id) + " was revoked by " + known->revoked_by, "id");
  connection.run("UPDATE acknowledgements SET revoked_at = ?, revoked_by = ?, revoked_reason = ? WHERE id = ?", now,
                 revoke.actor, revoke.reason, revoke.id);
  log_action(
      connection,
      {.actor = revoke.actor, .action = "regression.revoke", .subject = subject_of(revoke.id), .detail = revoke.reason},
      now);
  return {};
}

Result<StoredAcknowledgement> get_acknowledgement(Connection& connection, AcknowledgementId id) {
  Statement row = connection.query(std::string(kSelect) + "WHERE id = ?", id);
  if (!row.step()) return fail(Errc::not_found, "no " + subject_of(id), "id");
  StoredAcknowledgement out = read(row);
  read_benchmarks(connection, out);
  return out;
}

std::vector<StoredAcknowledgement> list_acknowledgements(Connection& connection, RepositoryId repository,
                                                         const Page& page) {
  std::vector<StoredAcknowledgement> out;
  Statement row = connection.query(std::string(kSelect) + "WHERE repository_id = ? AND id < ? ORDER BY id DESC LIMIT ?",
                                   repository, first_below(page), row_limit(page));
  while (row.step()) out.push_back(read(row));
  for (StoredAcknowledgement& one : out) read_benchmarks(connection, one);
  return out;
}

std::vector<Acknowledgement> acknowledgements_in_force(Connection& connection, RepositoryId repository, EpochId epoch,
                                                       Instant now) {
  Statement row = connection.query(
      "SELECT a.id, b.suite, b.name, l.ratio, l.head_median_ns, a.actor, a.reason FROM acknowledgements a JOIN "
      "acknowledged_benchmarks l ON l.acknowledgement_id = a.id JOIN benchmarks b ON b.id = l.benchmark_id WHERE "
      "a.repository_id = ? AND a.epoch_id = ? AND a.revoked_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > "
      "?) ORDER BY a.id DESC, b.suite, b.name",
      repository, epoch, now);
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

bool verdict_stands(Connection& connection, RunId judged, Instant now) {
  Statement changed = connection.query(
      "SELECT 1 FROM runs r JOIN acknowledgements a ON a.repository_id = r.repository_id AND a.epoch_id = r.epoch_id "
      "WHERE r.id = ?1 AND (a.accepted_at >= r.finished_at OR a.revoked_at >= r.finished_at OR (a.expires_at > "
      "r.finished_at AND a.expires_at <= ?2)) LIMIT 1",
      judged, now);
  if (changed.step()) return false;
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
                                  .benchmarks = {}};
  for (const AcceptedBenchmark& one : acknowledgement.benchmarks)
    out.benchmarks.push_back(
        {.suite = one.suite, .benchmark = one.benchmark, .ratio = one.ratio, .head_median_ns = one.head_median_ns});
  return out;
}

Acceptance acceptance_of(const wire::AcceptRequest& request, RepositoryId repository, const std::string& actor,
                         Instant now) {
  Acceptance out{.repository = repository, .run = RunId{request.run}};
  out.match = request.match;
  out.actor = actor;
  out.reason = request.reason;
  if (request.expires_in_days > 0) out.expires_at = now + std::chrono::hours(24 * request.expires_in_days);
  return out;
}

}  // namespace kernelgate::db

// SPDX-License-Identifier: Apache-2.0
#include "db/runs/profiles.hpp"

#include <fmt/format.h>

#include "core/decision/explain/counters.hpp"
#include "core/units/limits.hpp"
#include "core/units/time.hpp"
#include "core/wire/codec.hpp"
#include "db/accounts/audit.hpp"
#include "db/repositories/repositories.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

constexpr std::string_view kSelectProfiles =
    "SELECT p.id, p.run_id, b.suite, b.name, p.state, p.text, p.actor, p.runner, p.base, p.head, p.created_at, "
    "p.finished_at FROM profiles p JOIN benchmarks b ON b.id = p.benchmark_id ";

std::optional<wire::ProfiledKernel> kernel_of(const std::string& column) {
  if (column.empty()) return std::nullopt;
  auto kernel = wire::decode<wire::ProfiledKernel>(column);
  if (!kernel) throw_corrupt("a profile");
  return std::move(*kernel);
}

KernelProfile side_of(const wire::ProfiledKernel& kernel) {
  return {.benchmark = {}, .side = {}, .kernel = kernel.kernel, .counters = kernel.counters};
}

wire::Profile read_profile(const Statement& row) {
  wire::Profile out;
  out.id = row.integer(0);
  out.run = row.integer(1);
  out.suite = row.text(2);
  out.benchmark = row.text(3);
  out.state = known(parse_word<wire::ProfileState>(row.text(4)), row.text(4));
  out.text = row.text(5);
  out.actor = row.text(6);
  out.runner = row.text(7);
  out.base = kernel_of(row.text(8));
  out.head = kernel_of(row.text(9));
  if (out.base && out.head) out.changes = counter_changes(side_of(*out.base), side_of(*out.head));
  out.created_at = row.instant(10);
  out.finished_at = row.maybe_instant(11);
  return out;
}

std::optional<std::int64_t> benchmark_of(Connection& connection, const Run& run, const wire::ProfileRequest& wanted) {
  Statement row = connection.query(
      "SELECT b.id FROM comparisons c JOIN benchmarks b ON b.id = c.benchmark_id WHERE c.run_id = ? AND b.suite = ? "
      "AND b.name = ?",
      run.reused_from.value_or(run.id), wanted.suite, wanted.benchmark);
  if (!row.step()) return std::nullopt;
  return row.integer(0);
}

Status check_room(Connection& connection, const Run& run, std::int64_t benchmark) {
  Statement row = connection.query(
      "SELECT count(*), coalesce(sum(p.run_id = ? AND p.benchmark_id = ?), 0) FROM profiles p JOIN runs r ON r.id = "
      "p.run_id WHERE r.repository_id = ? AND p.finished_at IS NULL",
      run.id, benchmark, run.repository_id);
  if (!row.step()) return {};
  if (row.integer(1) > 0)
    return fail(Errc::conflict, "this benchmark's profile is under way", "/benchmark", "wait for it");
  if (row.integer(0) >= limits::kProfilesWaitingMax)
    return fail(Errc::too_many, fmt::format("{} profiles wait in this repository", row.integer(0)), {},
                "wait for one; a runner of their testbed takes them");
  return {};
}

// Those that fit a runner: queued, or of a runner that is lost.
constexpr std::string_view kWaiting =
    "FROM profiles p JOIN runs r ON r.id = p.run_id JOIN epochs e ON e.id = r.epoch_id JOIN testbeds t ON t.id = "
    "e.testbed_id WHERE p.finished_at IS NULL AND t.name = ?1 AND (p.lease_sha256 IS NULL OR p.expires_at <= ?2)";

void finish(Connection& connection, const wire::Profile& profile, const wire::ProfileEnd& end, const std::string& actor,
            Instant now) {
  const bool done = end.base && end.head;
  const auto text_of = [](const wire::ProfiledKernel& kernel) { return wire::encode(kernel); };
  connection.run(
      "UPDATE profiles SET state = ?, text = ?, base = ?, head = ?, lease_sha256 = NULL, expires_at = NULL, "
      "finished_at = ? WHERE id = ?",
      done ? "done" : "failed", end.text, done ? text_of(*end.base) : "", done ? text_of(*end.head) : "", now,
      profile.id);
  log_action(connection,
             {.actor = actor,
              .action = "profile.end",
              .subject = "run " + std::to_string(profile.run),
              .detail = done ? profile.benchmark : end.text},
             now);
}

// Taken too often by runners that were never heard of again.
void give_up_lost(Connection& connection, Instant now) {
  std::vector<wire::Profile> lost;
  {
    Statement row = connection.query(
        std::string(kSelectProfiles) + "WHERE p.finished_at IS NULL AND p.claims >= ? AND p.expires_at <= ?",
        limits::kProfileClaimsMax, now);
    while (row.step()) lost.push_back(read_profile(row));
  }
  wire::ProfileEnd end;
  end.text = fmt::format("The runner was lost {} times while it profiled this.", limits::kProfileClaimsMax);
  for (const wire::Profile& profile : lost) finish(connection, profile, end, "server", now);
}

}  // namespace

Result<ProfileId> ask_profile(Connection& connection, const Run& run, const wire::ProfileRequest& wanted,
                              const std::string& actor, Instant now) {
  const std::string name = "run " + std::to_string(run.id.value);
  if (!is_finished(run.state)) return fail(Errc::conflict, "the run is not finished", name, "wait for it");
  if (run.base_commit.empty()) return fail(Errc::conflict, "the run has no base to profile against", name);
  if (!run.epoch) return fail(Errc::conflict, "the run was on no testbed", name, "retry it");
  const auto benchmark = benchmark_of(connection, run, wanted);
  if (!benchmark)
    return fail(Errc::not_found, "the run compared no '" + wanted.suite + ": " + wanted.benchmark + "'", "/benchmark",
                "names are as in its table");
  if (const Status room = check_room(connection, run, *benchmark); !room) return pass_on(room);
  connection.run(
      "INSERT INTO profiles (run_id, benchmark_id, actor, state, text, created_at) VALUES (?, ?, ?, 'queued', ?, ?)",
      run.id, *benchmark, actor, "Waits for a runner of " + run.testbed + ".", now);
  const ProfileId id{connection.last_insert_id()};
  log_action(connection, {.actor = actor, .action = "profile.ask", .subject = name, .detail = wanted.benchmark}, now);
  return id;
}

std::vector<Counted> counters_of(Connection& connection, RunId run) {
  Statement row = connection.query(
      "SELECT json_extract(s.value, '$.name'), p.value FROM run_documents d, json_each(d.evidence, '$.suites') s, "
      "json_each(s.value, '$.profiles') p WHERE d.run_id = ? AND json_valid(d.evidence)",
      run);
  std::vector<Counted> out;
  while (row.step()) out.push_back({.suite = std::string(row.text(0)), .profile = std::string(row.text(1))});
  return out;
}

Result<wire::Profile> get_profile(Connection& connection, ProfileId id) {
  Statement row = connection.query(std::string(kSelectProfiles) + "WHERE p.id = ?", id);
  if (!row.step()) return fail(Errc::not_found, "no profile " + std::to_string(id.value), "path");
  return read_profile(row);
}

wire::ProfileList list_profiles(Connection& connection, RunId run) {
  wire::ProfileList out;
  Statement row =
      connection.query(std::string(kSelectProfiles) + "WHERE p.run_id = ? ORDER BY p.id DESC LIMIT 100", run);
  while (row.step()) out.profiles.push_back(read_profile(row));
  return out;
}

bool profile_waits(Connection& connection, const std::string& testbed, Instant now) {
  Statement row = connection.query("SELECT 1 " + std::string(kWaiting) + " LIMIT 1", testbed, now);
  return row.step();
}

std::optional<wire::ProfileClaim> claim_profile(Connection& connection, const ProfileTaker& taker, Instant now) {
  give_up_lost(connection, now);
  ProfileId id;
  RunId of;
  {
    Statement row = connection.query("SELECT p.id, p.run_id " + std::string(kWaiting) + " ORDER BY p.id LIMIT 1",
                                     taker.testbed, now);
    if (!row.step()) return std::nullopt;
    id = row.id<ProfileId>(0);
    of = row.id<RunId>(1);
  }
  connection.run(
      "UPDATE profiles SET state = 'claimed', text = ?, runner = ?, lease_sha256 = ?, expires_at = ?, claims = claims "
      "+ 1 WHERE id = ?",
      "Builds both commits and profiles them.", taker.runner, taker.lease_sha256, now + limits::kProfileLease, id);
  log_action(connection,
             {.actor = taker.runner,
              .action = "profile.claim",
              .subject = "run " + std::to_string(of.value),
              .detail = "on " + taker.testbed},
             now);
  const auto run = get_run(connection, of);
  const auto profile = get_profile(connection, id);
  if (!run || !profile) throw_corrupt("a profile without its run");
  const auto repository = get_repository(connection, run->repository_id);
  if (!repository) throw_corrupt("a run without its repository");
  return wire::ProfileClaim{.profile = id.value,
                            .run = of.value,
                            .lease = {},
                            .url = repository->url,
                            .base = run->base_commit,
                            .head = run->commit,
                            .manifest = repository->manifest,
                            .suite = profile->suite,
                            .benchmark = profile->benchmark,
                            .fork = run->trust == Trust::fork};
}

Status end_profile(Connection& connection, ProfileId id, const std::string& lease_sha256, const wire::ProfileEnd& end,
                   Instant now) {
  const auto profile = get_profile(connection, id);
  if (!profile) return pass_on(profile);
  {
    Statement held = connection.query("SELECT 1 FROM profiles WHERE id = ? AND lease_sha256 = ?", id, lease_sha256);
    if (!held.step())
      return fail(Errc::conflict, "this lease is not held", "profile " + std::to_string(id.value), "claim another");
  }
  if (end.again) {
    connection.run(
        "UPDATE profiles SET state = 'queued', text = ?, lease_sha256 = NULL, expires_at = NULL, claims = claims - 1 "
        "WHERE id = ?",
        "Waits again: the runner stopped.", id);
    return {};
  }
  finish(connection, *profile, end, profile->runner, now);
  return {};
}

}  // namespace kernelgate::db

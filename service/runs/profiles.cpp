// SPDX-License-Identifier: Apache-2.0
#include "service/runs/profiles.hpp"

#include <fmt/format.h>

#include "core/units/digest.hpp"
#include "core/units/limits.hpp"
#include "db/accounts/audit.hpp"
#include "db/repositories/repositories.hpp"
#include "service/runs/lease.hpp"

namespace kernelgate::service {
namespace {

Result<std::int64_t> check_question(db::Connection& connection, const db::Run& run,
                                    const wire::ProfileRequest& wanted) {
  const std::string name = "run " + std::to_string(run.id.value);
  if (!is_finished(run.state)) return fail(Errc::conflict, "the run is not finished", name, "wait for it");
  if (run.base_commit.empty()) return fail(Errc::conflict, "the run has no base to profile against", name);
  if (!run.epoch) return fail(Errc::conflict, "the run was on no testbed", name, "retry it");
  const auto benchmark =
      db::compared_benchmark(connection, run.reused_from.value_or(run.id), wanted.suite, wanted.benchmark);
  if (!benchmark)
    return fail(Errc::not_found, "the run compared no '" + wanted.suite + ": " + wanted.benchmark + "'", "/benchmark",
                "names are as in its table");
  const auto waiting = db::waiting_profiles(connection, run, *benchmark);
  if (waiting.of_benchmark > 0)
    return fail(Errc::conflict, "this benchmark's profile is under way", "/benchmark", "wait for it");
  if (waiting.of_repository >= limits::kProfilesWaitingMax)
    return fail(Errc::too_many, fmt::format("{} profiles wait in this repository", waiting.of_repository), {},
                "wait for one; a runner of their testbed takes them");
  return *benchmark;
}

void log_profile(db::Connection& connection, const std::string& actor, std::string action, RunId run,
                 std::string detail, Instant now) {
  db::log_action(connection,
                 {.actor = actor,
                  .action = std::move(action),
                  .subject = "run " + std::to_string(run.value),
                  .detail = std::move(detail)},
                 now);
}

void finish_profile(db::Connection& connection, const wire::Profile& profile, wire::ProfileEnd end,
                    const std::string& actor, Instant now) {
  const bool done = end.base && end.head;
  if (!done) end.base = end.head = std::nullopt;
  db::put_profile_end(connection, ProfileId{profile.id}, done ? wire::ProfileState::done : wire::ProfileState::failed,
                      end, now);
  log_profile(connection, actor, "profile.end", RunId{profile.run}, done ? profile.benchmark : end.text, now);
}

// Taken too often by runners that were never heard of again.
void give_up_lost(db::Connection& connection, Instant now) {
  wire::ProfileEnd end;
  end.text = fmt::format("The runner was lost {} times while it profiled this.", limits::kProfileClaimsMax);
  for (const wire::Profile& profile : db::lost_profiles(connection, now))
    finish_profile(connection, profile, end, "server", now);
}

}  // namespace

Result<std::vector<Counted>> counters_of(Store store, RunId id) {
  return store.read([&](db::Connection& connection) -> Result<std::vector<Counted>> {
    const auto run = db::get_run(connection, id);
    if (!run) return pass_on(run);
    return db::counters_of(connection, run->reused_from.value_or(id));
  });
}

Result<wire::ProfileList> list_profiles(Store store, RunId id) {
  return store.read([&](db::Connection& connection) -> Result<wire::ProfileList> {
    if (const auto run = db::get_run(connection, id); !run) return pass_on(run);
    return db::list_profiles(connection, id);
  });
}

Result<wire::Profile> ask_profile(Store store, RunId id, const wire::ProfileRequest& wanted, const std::string& actor,
                                  Instant now) {
  return store.write([&](db::Connection& connection) -> Result<wire::Profile> {
    const auto run = db::get_run(connection, id);
    if (!run) return pass_on(run);
    const auto benchmark = check_question(connection, *run, wanted);
    if (!benchmark) return pass_on(benchmark);
    const ProfileId made =
        db::add_profile(connection, id, *benchmark, actor, "Waits for a runner of " + run->testbed + ".", now);
    log_profile(connection, actor, "profile.ask", id, wanted.benchmark, now);
    return db::get_profile(connection, made);
  });
}

bool profile_waits(Store store, const std::string& testbed, Instant now) {
  return store.read([&](db::Connection& connection) { return db::profile_waits(connection, testbed, now); })
      .value_or(false);
}

Result<std::optional<wire::ProfileClaim>> claim_profile(Store store, const wire::ClaimRequest& wanted,
                                                        std::int64_t token, Instant now) {
  using Claim = std::optional<wire::ProfileClaim>;
  return store.write([&](db::Connection& connection) -> Result<Claim> {
    give_up_lost(connection, now);
    const auto id = db::next_profile(connection, wanted.testbed.name, now);
    if (!id) return Claim();
    const std::string lease = random_hex(32);
    db::put_claim(
        connection, *id,
        {.runner = wanted.runner, .sha256 = lease_hash(lease, token), .expires_at = now + limits::kProfileLease},
        "Builds both commits and profiles them.");
    const auto profile = db::get_profile(connection, *id);
    if (!profile) return pass_on(profile);
    log_profile(connection, wanted.runner, "profile.claim", RunId{profile->run}, "on " + wanted.testbed.name, now);
    const auto run = db::get_run(connection, RunId{profile->run});
    if (!run) return pass_on(run);
    const auto repository = db::get_repository(connection, run->repository_id);
    if (!repository) return pass_on(repository);
    return wire::ProfileClaim{.profile = id->value,
                              .run = run->id.value,
                              .lease = lease,
                              .url = repository->url,
                              .base = run->base_commit,
                              .head = run->commit,
                              .manifest = repository->manifest,
                              .suite = profile->suite,
                              .benchmark = profile->benchmark,
                              .fork = run->trust == db::Trust::fork};
  });
}

Result<wire::Profile> end_profile(Store store, ProfileId profile, const wire::ProfileEnd& end, std::int64_t token,
                                  Instant now) {
  return store.write([&](db::Connection& connection) -> Result<wire::Profile> {
    const auto known = db::get_profile(connection, profile);
    if (!known) return pass_on(known);
    if (!db::holds_profile(connection, profile, lease_hash(end.lease, token)))
      return fail(Errc::conflict, "this lease is not held", "profile " + std::to_string(profile.value),
                  "claim another");
    if (end.again)
      db::queue_again(connection, profile, "Waits again: the runner stopped.");
    else
      finish_profile(connection, *known, end, known->runner, now);
    return db::get_profile(connection, profile);
  });
}

}  // namespace kernelgate::service

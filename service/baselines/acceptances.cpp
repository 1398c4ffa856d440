// SPDX-License-Identifier: Apache-2.0
#include "service/baselines/acceptances.hpp"

#include <chrono>
#include <regex>
#include <string>
#include <vector>

#include "core/decision/evidence/match.hpp"
#include "core/decision/evidence/policy.hpp"
#include "db/accounts/audit.hpp"
#include "db/repositories/testbeds.hpp"
#include "db/runs/runs.hpp"

namespace kernelgate::service {
namespace {

std::string name_of(db::AcknowledgementId id) { return "acknowledgement " + std::to_string(id.value); }

Status check_acceptance(const db::Acceptance& acceptance, Instant now) {
  if (const Status good = check_match(acceptance.match); !good)
    return fail(Errc::invalid, "the expression " + good.error().what, "match", good.error().fix);
  if (acceptance.reason.empty())
    return fail(Errc::invalid, "to accept a regression needs a reason", "reason", "say why");
  if (acceptance.expires_at && *acceptance.expires_at <= now)
    return fail(Errc::invalid, "the acknowledgement would be over at once", "expires_at", "give a time to come");
  return {};
}

// The run that measured what `run` shows.
Result<db::Run> measured_run(db::Connection& connection, const db::Acceptance& acceptance) {
  const auto refuse = [](RunId id, const std::string& why) {
    return fail(Errc::conflict, "run " + std::to_string(id.value) + " has nothing to accept: " + why, "run",
                "name a run that ended regressed in the present epoch");
  };
  auto run = db::get_run(connection, acceptance.run);
  if (run && run->reused_from) run = db::get_run(connection, *run->reused_from);
  if (!run) return run;
  if (run->repository_id != acceptance.repository) return refuse(run->id, "it belongs to another repository");
  if (run->state != RunState::done) return refuse(run->id, "it is " + std::string(to_string(run->state)));
  if (!run->epoch) return refuse(run->id, "it has no epoch");
  if (db::is_over(connection, *run->epoch)) return refuse(run->id, "its epoch is over: the testbed has changed since");
  return run;
}

// Days are the unit in which an expiry is asked for.
bool is_same_expiry(const std::optional<Instant>& a, const std::optional<Instant>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return (*a < *b ? *b - *a : *a - *b) < std::chrono::hours(24);
}

}  // namespace

Result<db::AcknowledgementId> accept_regressions(db::Connection& connection, const db::Acceptance& acceptance,
                                                 Instant now) {
  if (const Status good = check_acceptance(acceptance, now); !good) return pass_on(good);
  const auto run = measured_run(connection, acceptance);
  if (!run) return pass_on(run);
  std::vector<db::RegressedBenchmark> regressed = db::regressed_benchmarks(connection, run->id);
  const std::regex wanted = compile_match(acceptance.match);
  std::erase_if(regressed, [&](const db::RegressedBenchmark& one) { return !std::regex_search(one.name, wanted); });
  if (regressed.empty())
    return fail(
        Errc::conflict,
        "no regressed benchmark of run " + std::to_string(run->id.value) + " matches '" + acceptance.match + "'",
        "match", "look at the run's comparisons");
  db::Acceptance kept = acceptance;
  kept.run = run->id;
  kept.pull_request = db::pull_request_of(connection, acceptance.run);
  const auto standing = db::standing_acceptance(connection, kept, regressed, now);
  if (standing && standing->reason == acceptance.reason && is_same_expiry(standing->expires_at, acceptance.expires_at))
    return fail(Errc::conflict,
                "it is already accepted: " + name_of(standing->id) + " by " + standing->actor + ": " + standing->reason,
                "run " + std::to_string(run->id.value),
                "nothing to do; another reason or expiry replaces it, revoke ends it");
  const db::AcknowledgementId id = db::add_acknowledgement(connection, kept, *run->epoch, regressed, now);
  db::log_action(connection,
                 {.actor = acceptance.actor,
                  .action = "regression.accept",
                  .subject = "run " + std::to_string(run->id.value),
                  .detail = name_of(id) + ", '" + acceptance.match + "': " + acceptance.reason},
                 now);
  if (!standing || standing->benchmarks > regressed.size()) return id;  // one that holds more goes on for the others
  const Status replaced = revoke_acceptance(connection,
                                            {.repository = acceptance.repository,
                                             .id = standing->id,
                                             .actor = acceptance.actor,
                                             .reason = "replaced by " + name_of(id)},
                                            now);
  if (!replaced) return pass_on(replaced);
  return id;
}

Status revoke_acceptance(db::Connection& connection, const db::Revocation& wanted, Instant now) {
  if (wanted.reason.empty()) return fail(Errc::invalid, "to revoke needs a reason", "reason", "say why");
  const auto known = db::get_acknowledgement(connection, wanted.id);
  if (!known || known->repository != wanted.repository) return fail(Errc::not_found, "no " + name_of(wanted.id), "id");
  if (known->revoked_at) return fail(Errc::conflict, name_of(wanted.id) + " was revoked by " + known->revoked_by, "id");
  db::put_revocation(connection, wanted, now);
  db::log_action(
      connection,
      {.actor = wanted.actor, .action = "regression.revoke", .subject = name_of(wanted.id), .detail = wanted.reason},
      now);
  return {};
}

}  // namespace kernelgate::service

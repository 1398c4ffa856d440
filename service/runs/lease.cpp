// SPDX-License-Identifier: Apache-2.0
#include "service/runs/lease.hpp"

#include "core/units/digest.hpp"
#include "db/accounts/audit.hpp"
#include "db/runs/jobs.hpp"

namespace kernelgate::service {

std::string lease_hash(std::string_view secret, std::int64_t token) {
  return Sha256().field(secret).field(std::to_string(token)).hex();
}

Status check_holder(db::Connection& connection, RunId run, const Holder& holder) {
  if (!holder.lease_sha256) return {};  // what changes a run refuses a finished one
  const std::string where = "run " + std::to_string(run.value);
  switch (db::lease_state(connection, run, *holder.lease_sha256)) {
    case db::LeaseState::held: return {};
    case db::LeaseState::cancelled: return fail(Errc::conflict, "the run was cancelled", where, "stop working on it");
    case db::LeaseState::finished:
      return fail(Errc::conflict, "the run is finished and never changes", where, "claim another one");
    case db::LeaseState::lost: break;
  }
  const auto known = db::get_run(connection, run);
  if (!known) return pass_on(known);
  return fail(Errc::conflict, "this lease is not held", where,
              "stop working on the run; it was given to another runner or back to the queue");
}

void log_run(db::Connection& connection, const std::string& actor, std::string_view action, RunId run,
             std::string detail, Instant now) {
  if (actor.empty()) return;
  db::log_action(connection,
                 {.actor = actor,
                  .action = std::string(action),
                  .subject = "run " + std::to_string(run.value),
                  .detail = std::move(detail)},
                 now);
}

}  // namespace kernelgate::service

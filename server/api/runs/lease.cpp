// SPDX-License-Identifier: Apache-2.0
#include "server/api/runs/lease.hpp"

#include "core/units/digest.hpp"
#include "db/runs/runs.hpp"

namespace kernelgate::api {

std::string lease_hash(const http::Request& request, std::string_view secret) {
  return Sha256().field(secret).field(std::to_string(request.identity.token.value)).hex();
}

Status check_lease(db::Connection& connection, RunId run, std::string_view hash) {
  const std::string where = "run " + std::to_string(run.value);
  switch (db::lease_state(connection, run, hash)) {
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

}  // namespace kernelgate::api

// SPDX-License-Identifier: Apache-2.0
#include "service/runs/actions.hpp"

#include "service/runs/lease.hpp"

namespace kernelgate::service {
namespace {

Status refuse_held(db::Connection& connection, RunId id, const std::string& reason, const std::string& actor,
                   Instant now) {
  const auto run = db::get_run(connection, id);
  if (!run) return pass_on(run);
  if (run->state != RunState::held)
    return fail(Errc::conflict,
                "run " + std::to_string(id.value) + " is " + std::string(to_string(run->state)) +
                    ", not held: there is nothing to refuse",
                "run", "cancel it instead");
  return db::cancel_run(connection, id, "refused by " + actor + ": " + reason, now);
}

struct LoggedAs {
  std::string_view action;
  const std::string& actor;
  std::string detail;
};

template <class Change>
Result<db::Run> change_run(Store store, RunId id, const LoggedAs& log, Instant now, Change change) {
  return store.write([&](db::Connection& connection) -> Result<db::Run> {
    if (const Status done = change(connection); !done) return pass_on(done);
    log_run(connection, log.actor, log.action, id, log.detail, now);
    return db::get_run(connection, id);
  });
}

}  // namespace

Result<db::Run> cancel(Store store, RunId id, const std::string& actor, Instant now) {
  return change_run(store, id, {"run.cancel", actor, {}}, now, [&](db::Connection& connection) {
    return db::cancel_run(connection, id, "cancelled by " + actor, now);
  });
}

Status cancel_local(Store store, RunId id, const std::string& reason, Instant now) {
  return store.write([&](db::Connection& connection) { return db::cancel_run(connection, id, reason, now); });
}

Result<db::Run> approve(Store store, RunId id, const std::string& actor, Instant now) {
  return change_run(store, id, {"run.approve", actor, {}}, now,
                    [&](db::Connection& connection) { return db::approve_run(connection, id); });
}

Result<db::Run> refuse(Store store, RunId id, const std::string& reason, const std::string& actor, Instant now) {
  return change_run(store, id, {"run.refuse", actor, reason}, now,
                    [&](db::Connection& connection) { return refuse_held(connection, id, reason, actor, now); });
}

}  // namespace kernelgate::service

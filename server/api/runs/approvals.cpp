// SPDX-License-Identifier: Apache-2.0
// /runs/{id}/approve and /refuse: what becomes of a fork's run.
#include "core/wire/approvals.hpp"
#include "core/wire/codec.hpp"
#include "db/accounts/audit.hpp"
#include "server/api/endpoints.hpp"

namespace kernelgate::api {
namespace {

Status refuse(db::Connection& connection, RunId id, const std::string& who, const std::string& reason, Instant now) {
  const auto run = db::get_run(connection, id);
  if (!run) return pass_on(run);
  if (run->state != RunState::held)
    return fail(Errc::conflict,
                "run " + std::to_string(id.value) + " is " + std::string(to_string(run->state)) +
                    ", not held: there is nothing to refuse",
                "run", "cancel it instead");
  return db::cancel_run(connection, id, "refused by " + who + ": " + reason, now);
}

template <class Change>
Result<http::Answer> decide(Context& context, const http::Request& request, const std::string& act,
                            const std::string& reason, Change change) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const Instant now = context.clock.now();
  const auto run = context.database.write([&](db::Connection& connection) -> Result<db::Run> {
    if (const Status done = change(connection, *id, now); !done) return pass_on(done);
    db::log_action(connection,
                   db::Act{.actor = request.identity.name,
                           .act = act,
                           .subject = "run " + std::to_string(id->value),
                           .detail = reason},
                   now);
    return db::get_run(connection, *id);
  });
  if (!run) return pass_on(run);
  announce(context, *run);
  return json(200, wire::encode(db::to_wire(*run)));
}

}  // namespace

Result<http::Answer> post_approve(Context& context, const http::Request& request) {
  return decide(context, request, "run.approve", "",
                [](db::Connection& connection, RunId id, Instant) { return db::approve_run(connection, id); });
}

Result<http::Answer> post_refuse(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::RefuseRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const std::string who = request.identity.name;
  return decide(context, request, "run.refuse", wanted->reason, [&](db::Connection& connection, RunId id, Instant now) {
    return refuse(connection, id, who, wanted->reason, now);
  });
}

}  // namespace kernelgate::api

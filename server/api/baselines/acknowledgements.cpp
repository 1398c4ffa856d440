// SPDX-License-Identifier: Apache-2.0
// /acknowledgements: regressions that somebody accepts, and revokes.
#include "db/baselines/acknowledgements.hpp"

#include "core/wire/baselines.hpp"
#include "core/wire/codec.hpp"
#include "db/repositories/repositories.hpp"
#include "server/api/endpoints.hpp"

namespace kernelgate::api {

Result<http::Answer> get_acknowledgements(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const std::string name(request.query_value("repository").value_or(""));
  const auto rows =
      context.database.read([&](db::Connection& connection) -> Result<std::vector<db::StoredAcknowledgement>> {
        const auto repository = db::get_repository(connection, name);
        if (!repository) return pass_on(repository);
        return db::list_acknowledgements(connection, repository->id, *page);
      });
  if (!rows) return pass_on(rows);
  wire::AcknowledgementPage out;
  for (const db::StoredAcknowledgement& one : *rows) out.acknowledgements.push_back(db::to_wire(one));
  const auto next = next_page(*rows, *page, [](const db::StoredAcknowledgement& last) { return last.id.value; });
  if (next) out.next = std::to_string(*next);
  return json(200, wire::encode(out));
}

Result<http::Answer> post_acknowledgement(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::AcceptRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const Instant now = context.clock.now();
  const auto made = context.database.write([&](db::Connection& connection) -> Result<db::StoredAcknowledgement> {
    const auto repository = db::get_repository(connection, wanted->repository);
    if (!repository) return pass_on(repository);
    const auto id = db::accept(connection, db::acceptance_of(*wanted, repository->id, request.identity.name, now), now);
    if (!id) return pass_on(id);
    return db::get_acknowledgement(connection, *id);
  });
  if (!made) return pass_on(made);
  return json(201, wire::encode(db::to_wire(*made)));
}

Result<http::Answer> post_revoke(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "acknowledgement");
  if (!id) return pass_on(id);
  const auto wanted = wire::decode<wire::RevokeAcceptanceRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const auto done = context.database.write([&](db::Connection& connection) -> Result<db::StoredAcknowledgement> {
    const auto repository = db::get_repository(connection, wanted->repository);
    if (!repository) return pass_on(repository);
    const db::AcknowledgementId acknowledgement{*id};
    const db::TakeBack back{
        .repository = repository->id, .id = acknowledgement, .who = request.identity.name, .reason = wanted->reason};
    if (const Status taken = db::revoke(connection, back, context.clock.now()); !taken) return pass_on(taken);
    return db::get_acknowledgement(connection, acknowledgement);
  });
  if (!done) return pass_on(done);
  return json(200, wire::encode(db::to_wire(*done)));
}

}  // namespace kernelgate::api

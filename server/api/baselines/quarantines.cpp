// SPDX-License-Identifier: Apache-2.0
// /quarantines: benchmarks that are set aside as too unstable to decide, and their way back.
#include "db/baselines/quarantines.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/upkeep.hpp"
#include "db/repositories/repositories.hpp"
#include "server/api/endpoints.hpp"

namespace kernelgate::api {

Result<http::Answer> get_quarantines(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const auto released = request.query_number("released", 0, 0, 1);
  if (!released) return pass_on(released);
  const std::string name(request.query_value("repository").value_or(""));
  const auto rows = context.database.read([&](db::Connection& connection) -> Result<std::vector<db::StoredQuarantine>> {
    const auto repository = db::get_repository(connection, name);
    if (!repository) return pass_on(repository);
    return db::list_quarantines(connection, repository->id, *released == 1, *page);
  });
  if (!rows) return pass_on(rows);
  wire::QuarantinePage out;
  for (const db::StoredQuarantine& one : *rows) out.quarantines.push_back(db::to_wire(one));
  out.next = next_page(*rows, *page, [](const db::StoredQuarantine& last) { return last.id.value; });
  return json(200, wire::encode(out));
}

Result<http::Answer> post_quarantine(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::QuarantineRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const auto made = context.database.write([&](db::Connection& connection) -> Result<db::StoredQuarantine> {
    const auto repository = db::get_repository(connection, wanted->repository);
    if (!repository) return pass_on(repository);
    const auto id = db::set_quarantine(connection,
                                       {.repository = repository->id,
                                        .suite = wanted->suite,
                                        .benchmark = wanted->benchmark,
                                        .epoch = {},
                                        .who = request.identity.name,
                                        .reason = wanted->reason},
                                       context.clock.now());
    if (!id) return pass_on(id);
    return db::get_quarantine(connection, *id);
  });
  if (!made) return pass_on(made);
  return json(201, wire::encode(db::to_wire(*made)));
}

Result<http::Answer> post_quarantine_release(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "quarantine");
  if (!id) return pass_on(id);
  const auto wanted = wire::decode<wire::ReleaseRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const auto done = context.database.write([&](db::Connection& connection) -> Result<db::StoredQuarantine> {
    const auto repository = db::get_repository(connection, wanted->repository);
    if (!repository) return pass_on(repository);
    const db::QuarantineId quarantine{*id};
    const Status released = db::release_quarantine(
        connection,
        {.repository = repository->id, .id = quarantine, .who = request.identity.name, .reason = wanted->reason},
        context.clock.now());
    if (!released) return pass_on(released);
    return db::get_quarantine(connection, quarantine);
  });
  if (!done) return pass_on(done);
  return json(200, wire::encode(db::to_wire(*done)));
}

}  // namespace kernelgate::api

// SPDX-License-Identifier: Apache-2.0
// /quarantines: benchmarks that are set aside as too unstable to decide, and their way back.
#include "core/wire/codec.hpp"
#include "core/wire/upkeep.hpp"
#include "server/api/endpoints.hpp"
#include "service/baselines/verdicts.hpp"

namespace kernelgate::api {

Result<http::Answer> get_quarantines(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const auto released = request.query_number("released", 0, 0, 1);
  if (!released) return pass_on(released);
  const std::string name(request.query_value("repository").value_or(""));
  const auto rows = service::list_quarantines(context.store, name, *released == 1, *page);
  if (!rows) return pass_on(rows);
  wire::QuarantinePage out;
  out.quarantines = *rows;
  out.next = next_page(*rows, *page, [](const wire::QuarantineRecord& last) { return last.id; });
  return json(200, wire::encode(out));
}

Result<http::Answer> post_quarantine(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::QuarantineRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const auto made = service::quarantine(context.store, *wanted, request.identity.name, context.clock.now());
  if (!made) return pass_on(made);
  return json(201, wire::encode(*made));
}

Result<http::Answer> post_quarantine_release(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "quarantine");
  if (!id) return pass_on(id);
  const auto wanted = wire::decode<wire::ReleaseRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const auto done =
      service::release_quarantine(context.store, *id, *wanted, request.identity.name, context.clock.now());
  if (!done) return pass_on(done);
  return json(200, wire::encode(*done));
}

}  // namespace kernelgate::api

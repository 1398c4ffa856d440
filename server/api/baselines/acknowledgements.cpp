// SPDX-License-Identifier: Apache-2.0
// /acknowledgements: regressions that somebody accepts, and revokes.

#include "core/wire/baselines.hpp"
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"
#include "service/baselines/verdicts.hpp"

namespace kernelgate::api {

Result<http::Answer> get_acknowledgements(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const std::string name(request.query_value("repository").value_or(""));
  const auto rows = service::list_acknowledgements(context.store, name, *page);
  if (!rows) return pass_on(rows);
  wire::AcknowledgementPage out;
  out.acknowledgements = *rows;
  out.next = next_page(*rows, *page, [](const wire::AcknowledgementRecord& last) { return last.id; });
  return json(200, wire::encode(out));
}

Result<http::Answer> post_acknowledgement(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::AcceptRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const auto made = service::accept(context.store, *wanted, request.identity.name, context.clock.now());
  if (!made) return pass_on(made);
  return json(201, wire::encode(*made));
}

Result<http::Answer> post_revoke(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "acknowledgement");
  if (!id) return pass_on(id);
  const auto wanted = wire::decode<wire::RevokeAcceptanceRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const auto done = service::revoke(context.store, *id, *wanted, request.identity.name, context.clock.now());
  if (!done) return pass_on(done);
  return json(200, wire::encode(*done));
}

}  // namespace kernelgate::api

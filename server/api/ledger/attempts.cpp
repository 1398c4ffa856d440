// SPDX-License-Identifier: Apache-2.0
// /attempts: the ledger of what was tried, and what people note in it.

#include "service/ledger/attempts.hpp"

#include "core/ledger/tuning.hpp"
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"

namespace kernelgate::api {
namespace {

service::AttemptsWanted wanted_of(const http::Request& request) {
  const auto text = [&](std::string_view name) { return std::string(request.query_value(name).value_or("")); };
  return {.repository = text("repository"),
          .outcome = text("outcome"),
          .since = text("since"),
          .branch = text("branch"),
          .suite = text("suite"),
          .benchmark = text("benchmark"),
          .text = text("text")};
}

}  // namespace

Result<http::Answer> get_attempts(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  auto rows = service::list_attempts(context.store, wanted_of(request), *page, context.clock.now());
  if (!rows) return pass_on(rows);
  wire::AttemptPage out;
  out.next = next_page(*rows, *page, [](const wire::Attempt& last) { return last.id; });
  out.attempts = std::move(*rows);
  out.sweeps = ledger::sweeps_in(out.attempts);
  return json(200, wire::encode(out));
}

Result<http::Answer> get_attempt(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "attempt");
  if (!id) return pass_on(id);
  const auto one = service::get_attempt(context.store, *id);
  if (!one) return pass_on(one);
  return json(200, wire::encode(*one));
}

Result<http::Answer> post_attempt(Context& context, const http::Request& request) {
  const auto note = wire::decode<wire::AttemptNote>(request.body);
  if (!note) return pass_on(note);
  const auto made = service::note_attempt(context.store, *note, request.identity.name, context.clock.now());
  if (!made) return pass_on(made);
  return json(201, wire::encode(*made));
}

Result<http::Answer> patch_attempt(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "attempt");
  if (!id) return pass_on(id);
  const auto change = wire::decode<wire::AttemptChange>(request.body);
  if (!change) return pass_on(change);
  const auto changed = service::change_attempt(context.store, *id, *change, request.identity.name, context.clock.now());
  if (!changed) return pass_on(changed);
  return json(200, wire::encode(*changed));
}

}  // namespace kernelgate::api

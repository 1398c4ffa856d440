// SPDX-License-Identifier: Apache-2.0
// /baselines: stored series of a commit, promoted by a logged action, and their sessions.

#include "service/baselines/baselines.hpp"

#include "core/wire/baselines.hpp"
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"

namespace kernelgate::api {
Result<http::Answer> get_baselines(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const std::string name(request.query_value("repository").value_or(""));
  const auto rows = service::list_baselines(context.store, name, *page);
  if (!rows) return pass_on(rows);
  wire::BaselinePage out;
  for (const service::Baseline& baseline : *rows) out.baselines.push_back(to_wire(baseline).baseline);
  out.next = next_page(*rows, *page, [](const service::Baseline& last) { return last.id.value; });
  return json(200, wire::encode(out));
}

Result<http::Answer> get_baseline(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "baseline");
  if (!id) return pass_on(id);
  const auto found = service::get_baseline(context.store, BaselineId{*id});
  if (!found) return pass_on(found);
  return json(200, wire::encode(to_wire(*found)));
}

Result<http::Answer> post_baseline(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::Promotion>(request.body);
  if (!wanted) return pass_on(wanted);
  const auto made = service::promote(context.store, *wanted, request.identity.name, context.clock.now());
  if (!made) return pass_on(made);
  http::Response response = json(201, wire::encode(to_wire(*made)));
  response.headers.emplace_back("Location", "/api/v1/baselines/" + std::to_string(made->id.value));
  return response;
}

Result<http::Answer> post_remeasure(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::RemeasureRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const auto queued = service::queue_sessions(context.store, *wanted, context.settings.queued_runs_max,
                                              request.identity.name, context.clock.now());
  if (!queued) return pass_on(queued);
  for (const auto& run : queued->runs) announce(context, run);
  return json(202, wire::encode(queued->reply));
}

}  // namespace kernelgate::api

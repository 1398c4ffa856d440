// SPDX-License-Identifier: Apache-2.0
// /bisections and /backfills: runs that look for a culprit, and runs of commits that were never measured. Both are
// ordinary runs for the runners.

#include "core/wire/bisections.hpp"
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"
#include "service/ledger/bisections.hpp"

namespace kernelgate::api {
namespace {

// Those who wait for jobs look at the queue again.
void announce_jobs(Context& context) { context.signals.notify(kJobsTopic); }

}  // namespace

Result<http::Answer> get_bisections(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const std::string name(request.query_value("repository").value_or(""));
  auto rows = service::list_bisections(context.store, name, *page);
  if (!rows) return pass_on(rows);
  wire::BisectionPage out;
  out.next = next_page(*rows, *page, [](const wire::Bisection& last) { return last.id; });
  out.bisections = std::move(*rows);
  return json(200, wire::encode(out));
}

Result<http::Answer> post_bisection(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::BisectionRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const auto made = service::start_bisection(context.store, *wanted, context.settings.queued_runs_max,
                                             request.identity.name, context.clock.now());
  if (!made) return pass_on(made);
  announce_jobs(context);
  http::Response response = json(202, wire::encode(*made));
  response.headers.emplace_back("Location", "/api/v1/bisections/" + std::to_string(made->id));
  return response;
}

Result<http::Answer> get_bisection(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "bisection");
  if (!id) return pass_on(id);
  const auto found = service::get_bisection(context.store, *id);
  if (!found) return pass_on(found);
  return json(200, wire::encode(*found));
}

Result<http::Answer> post_bisection_cancel(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "bisection");
  if (!id) return pass_on(id);
  const auto done = service::cancel_bisection(context.store, *id, request.identity.name, context.clock.now());
  if (!done) return pass_on(done);
  if (done->run) announce(context, *done->run);
  return json(200, wire::encode(done->bisection));
}

Result<http::Answer> post_backfill(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::BackfillRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const auto reply = service::backfill(context.store, *wanted, context.settings.queued_runs_max, request.identity.name,
                                       context.clock.now());
  if (!reply) return pass_on(reply);
  announce_jobs(context);
  return json(reply->runs.empty() ? 200 : 202, wire::encode(*reply));
}

}  // namespace kernelgate::api

// SPDX-License-Identifier: Apache-2.0
// /bisections and /backfills: runs that look for a culprit, and runs of commits that were never measured. Both are
// ordinary runs for the runners.
#include "db/ledger/bisections.hpp"

#include "core/wire/bisections.hpp"
#include "core/wire/codec.hpp"
#include "db/repositories/repositories.hpp"
#include "server/api/endpoints.hpp"

namespace kernelgate::api {
namespace {

// Those who wait for jobs look at the queue again.
void announce_jobs(Context& context) { context.signals.notify(kJobsTopic); }

Result<bisect::Target> target_of(const wire::BisectionRequest& request) {
  const auto aim = bisect::parse_aim(request.until);
  if (!aim)
    return fail(Errc::invalid, "'" + request.until.substr(0, 40) + "' is nothing to look for", "/until",
                "regressed or broken");
  return bisect::Target{.aim = *aim, .suite = request.suite, .benchmark = request.benchmark};
}

}  // namespace

Result<http::Answer> get_bisections(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const std::string name(request.query_value("repository").value_or(""));
  auto rows = context.database.read([&](db::Connection& connection) -> Result<std::vector<wire::Bisection>> {
    const auto repository = db::get_repository(connection, name);
    if (!repository) return pass_on(repository);
    return db::list_bisections(connection, repository->id, *page);
  });
  if (!rows) return pass_on(rows);
  wire::BisectionPage out;
  out.next = next_page(*rows, *page, [](const wire::Bisection& last) { return last.id; });
  out.bisections = std::move(*rows);
  return json(200, wire::encode(out));
}

Result<http::Answer> post_bisection(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::BisectionRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const auto target = target_of(*wanted);
  if (!target) return pass_on(target);
  const auto made = context.database.write([&](db::Connection& connection) -> Result<wire::Bisection> {
    const auto repository = db::get_repository(connection, wanted->repository);
    if (!repository) return pass_on(repository);
    const auto id = db::start_bisection(connection,
                                        {.repository = repository->id,
                                         .target = *target,
                                         .commits = wanted->commits,
                                         .who = request.identity.name,
                                         .queued_max = context.settings.queued_runs_max},
                                        context.clock.now());
    if (!id) return pass_on(id);
    return db::get_bisection(connection, *id);
  });
  if (!made) return pass_on(made);
  announce_jobs(context);
  http::Response response = json(202, wire::encode(*made));
  response.headers.emplace_back("Location", "/api/v1/bisections/" + std::to_string(made->id));
  return response;
}

Result<http::Answer> get_bisection(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "bisection");
  if (!id) return pass_on(id);
  const auto found = context.database.read(
      [&](db::Connection& connection) { return db::get_bisection(connection, db::BisectionId{*id}); });
  if (!found) return pass_on(found);
  return json(200, wire::encode(*found));
}

Result<http::Answer> post_bisection_cancel(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "bisection");
  if (!id) return pass_on(id);
  const db::BisectionId bisection{*id};
  std::optional<db::Run> stopped;
  const auto done = context.database.write([&](db::Connection& connection) -> Result<wire::Bisection> {
    const auto run = db::run_under_way(connection, bisection);
    const Status cancelled = db::cancel_bisection(connection, bisection, request.identity.name, context.clock.now());
    if (!cancelled) return pass_on(cancelled);
    if (run)
      if (auto row = db::get_run(connection, *run)) stopped = std::move(*row);
    return db::get_bisection(connection, bisection);
  });
  if (!done) return pass_on(done);
  if (stopped) announce(context, *stopped);
  return json(200, wire::encode(*done));
}

Result<http::Answer> post_backfill(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::BackfillRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const auto reply = context.database.write([&](db::Connection& connection) -> Result<wire::BackfillReply> {
    const auto repository = db::get_repository(connection, wanted->repository);
    if (!repository) return pass_on(repository);
    return db::backfill(connection,
                        {.repository = repository->id,
                         .commits = wanted->commits,
                         .limit = wanted->limit,
                         .who = request.identity.name,
                         .queued_max = context.settings.queued_runs_max},
                        context.clock.now());
  });
  if (!reply) return pass_on(reply);
  announce_jobs(context);
  return json(reply->runs.empty() ? 200 : 202, wire::encode(*reply));
}

}  // namespace kernelgate::api

// SPDX-License-Identifier: Apache-2.0
// /baselines: stored series of a commit, promoted by a logged act, and their sessions.
#include "db/baselines/baselines.hpp"

#include "core/wire/baselines.hpp"
#include "core/wire/codec.hpp"
#include "db/baselines/sessions.hpp"
#include "db/repositories/repositories.hpp"
#include "server/api/endpoints.hpp"
#include "service/runs/lease.hpp"
#include "service/runs/seed.hpp"

namespace kernelgate::api {
namespace {

// A session for each baseline that can have one; all are queued together or none is.
Result<wire::RemeasureReply> queue_sessions(db::Connection& connection, const wire::RemeasureRequest& wanted,
                                            int queued_max, Instant now, std::vector<db::Run>& queued) {
  const auto repository = db::get_repository(connection, wanted.repository);
  if (!repository) return pass_on(repository);
  const auto found = db::remeasurable(connection, repository->id, wanted.name);
  if (found.empty())
    return fail(Errc::not_found, wanted.name.empty() ? "no baseline is promoted" : "no baseline '" + wanted.name + "'",
                "/name", "promote a run first");
  wire::RemeasureReply reply;
  for (const db::Remeasurable& one : found) {
    wire::Remeasured& line = reply.baselines.emplace_back();
    line.name = one.baseline.name;
    line.commit = one.baseline.commit;
    line.why_not = one.why_not;
    if (!one.why_not.empty()) continue;
    db::NewRun session = db::session_run(one.baseline, wanted.processes, service::random_seed());
    session.queued_max = queued_max;
    const auto added = db::add_run(connection, session, now);
    if (!added) return pass_on(added);
    db::bind_session(connection, added->id, one.testbed);
    auto run = db::get_run(connection, added->id);
    if (!run) return pass_on(run);
    line.run = added->id.value;
    queued.push_back(std::move(*run));
  }
  return reply;
}

}  // namespace

Result<http::Answer> get_baselines(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const std::string name(request.query_value("repository").value_or(""));
  const auto rows = context.database.read([&](db::Connection& connection) -> Result<std::vector<db::Baseline>> {
    const auto repository = db::get_repository(connection, name);
    if (!repository) return pass_on(repository);
    return db::list_baselines(connection, repository->id, *page);
  });
  if (!rows) return pass_on(rows);
  wire::BaselinePage out;
  for (const db::Baseline& baseline : *rows) out.baselines.push_back(db::to_wire(baseline).baseline);
  const auto next = next_page(*rows, *page, [](const db::Baseline& last) { return last.id.value; });
  if (next) out.next = std::to_string(*next);
  return json(200, wire::encode(out));
}

Result<http::Answer> get_baseline(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "baseline");
  if (!id) return pass_on(id);
  const auto found =
      context.database.read([&](db::Connection& connection) { return db::get_baseline(connection, BaselineId{*id}); });
  if (!found) return pass_on(found);
  return json(200, wire::encode(db::to_wire(*found)));
}

Result<http::Answer> post_baseline(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::Promotion>(request.body);
  if (!wanted) return pass_on(wanted);
  const Instant now = context.clock.now();
  const auto made = context.database.write([&](db::Connection& connection) -> Result<db::Baseline> {
    const auto repository = db::get_repository(connection, wanted->repository);
    if (!repository) return pass_on(repository);
    const auto run = db::get_run(connection, RunId{wanted->run});
    if (!run) return pass_on(run);
    if (run->repository_id != repository->id)
      return fail(Errc::invalid, "the run is one of another repository", "/run", "name the repository of the run");
    const auto id = db::promote(connection,
                                db::Promotion{.repository = repository->id,
                                              .run = run->id,
                                              .name = wanted->name,
                                              .who = request.identity.name,
                                              .reason = wanted->reason,
                                              .anchor = wanted->anchor},
                                now);
    if (!id) return pass_on(id);
    return db::get_baseline(connection, *id);
  });
  if (!made) return pass_on(made);
  http::Response response = json(201, wire::encode(db::to_wire(*made)));
  response.headers.emplace_back("Location", "/api/v1/baselines/" + std::to_string(made->id.value));
  return response;
}

Result<http::Answer> post_remeasure(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::RemeasureRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const Instant now = context.clock.now();
  std::vector<db::Run> queued;
  const auto reply = context.database.write([&](db::Connection& connection) {
    auto done = queue_sessions(connection, *wanted, context.settings.queued_runs_max, now, queued);
    for (const db::Run& run : queued)
      service::log_run(connection, request.identity.name, "baseline.remeasure", run.id, run.commit, now);
    return done;
  });
  if (!reply) return pass_on(reply);
  for (const db::Run& run : queued) announce(context, run);
  return json(202, wire::encode(*reply));
}

}  // namespace kernelgate::api

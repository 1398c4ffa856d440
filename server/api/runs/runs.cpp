// SPDX-License-Identifier: Apache-2.0
// /runs: list, one (with a long poll until it is finished), cancel, retry.
#include "core/units/git_hash.hpp"
#include "core/wire/codec.hpp"
#include "db/repositories/repositories.hpp"
#include "db/runs/comparisons.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/json_text.hpp"
#include "server/api/runs/log_run.hpp"
#include "server/api/runs/shown.hpp"
#include "server/api/runs/submit.hpp"

namespace kernelgate::api {
namespace {

Result<db::RunFilter> filter_of(db::Connection& connection, const http::Request& request) {
  db::RunFilter filter;
  if (const auto name = request.query_value("repository")) {
    const auto repository = db::get_repository(connection, *name);
    if (!repository) return pass_on(repository);
    filter.repository = repository->id;
  }
  if (const auto commit = request.query_value("commit")) {
    const auto hash = CommitHash::parse(*commit);
    if (!hash) return pass_on(hash);
    filter.commit = hash->str();
  }
  if (const auto branch = request.query_value("branch")) filter.branch = *branch;
  if (request.query_value("pull_request")) {
    const auto number = request.query_number("pull_request", 1, 1, INT64_MAX);
    if (!number) return pass_on(number);
    filter.pull_request = *number;
  }
  if (const auto text = request.query_value("state"); text && *text == "unfinished") {
    filter.unfinished_only = true;
  } else if (text) {
    filter.state = parse_run_state(*text);
    if (!filter.state)
      return fail(Errc::invalid, "unknown state", "query parameter state",
                  "held, queued, claimed, building, checking, measuring, deciding, done, aborted, "
                  "cancelled or unfinished");
  }
  if (const auto text = request.query_value("conclusion")) {
    filter.conclusion = parse_conclusion(*text);
    if (!filter.conclusion)
      return fail(Errc::invalid, "unknown conclusion", "query parameter conclusion",
                  "passed, regressed, broken, build_failed, undecided or infrastructure");
  }
  return filter;
}

}  // namespace

Result<http::Answer> get_runs(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const auto found = context.database.read([&](db::Connection& connection) -> Result<std::vector<db::Run>> {
    const auto filter = filter_of(connection, request);
    if (!filter) return pass_on(filter);
    return db::list_runs(connection, *filter, *page);
  });
  if (!found) return pass_on(found);
  std::vector<std::string> values;
  for (const db::Run& run : *found) values.push_back(wire::encode(db::to_wire(run)));
  const auto next = next_page(*found, *page, [](const db::Run& last) { return last.id.value; });
  return json(200, json_page("runs", values, next));
}

Result<http::Answer> get_run(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto wait = request.query_number("wait_s", 0, 0, limits::kLongPollMax.count());
  if (!wait) return pass_on(wait);
  const auto run = context.database.read([&](db::Connection& connection) -> Result<wire::Run> {
    const auto stored = db::get_run(connection, *id);
    if (!stored) return pass_on(stored);
    auto whole = db::whole_run(connection, *id);
    if (whole) add_shown(*whole, stored->policy);
    return whole;
  });
  if (!run) return pass_on(run);
  const auto state = parse_run_state(run->state);
  const bool finished = state && is_finished(*state);
  if (!finished && *wait > 0 && !request.last_chance) return http::Park{run_topic(*id), std::chrono::seconds(*wait)};
  return json(200, wire::encode(*run));
}

Result<http::Answer> post_cancel(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const Instant now = context.clock.now();
  const auto run = context.database.write([&](db::Connection& connection) -> Result<db::Run> {
    const std::string reason = "cancelled by " + request.identity.name;
    if (const Status done = db::cancel_run(connection, *id, reason, now); !done) return pass_on(done);
    log_run(connection, request, "run.cancel", *id, {}, now);
    return db::get_run(connection, *id);
  });
  if (!run) return pass_on(run);
  announce(context, *run);
  return json(200, wire::encode(db::to_wire(*run)));
}

Result<http::Answer> post_retry(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const Instant now = context.clock.now();
  const auto retried = context.database.write([&](db::Connection& connection) {
    auto done = retry_run(connection, *id, context.settings.queued_runs_max, now);
    if (done && done->is_new)
      log_run(connection, request, "run.retry", done->run.id, "of run " + std::to_string(id->value), now);
    return done;
  });
  if (!retried) return pass_on(retried);
  announce(context, retried->run);
  http::Response response = json(retried->queued ? 202 : 200, wire::encode(db::to_wire(retried->run)));
  response.headers.emplace_back("Location", "/api/v1/runs/" + std::to_string(retried->run.id.value));
  return response;
}

}  // namespace kernelgate::api

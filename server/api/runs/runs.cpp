// SPDX-License-Identifier: Apache-2.0
// /runs: list, one (with a long poll until it is finished), cancel, retry.
#include "core/units/git_hash.hpp"
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/runs/shown.hpp"
#include "service/runs/actions.hpp"
#include "service/runs/queries.hpp"
#include "service/runs/submit.hpp"

namespace kernelgate::api {
namespace {

Result<service::RunFilter> filter_of(const http::Request& request) {
  service::RunFilter filter;
  if (const auto commit = request.query_value("commit")) {
    if (!is_git_hash_prefix(*commit))
      return fail(Errc::invalid, "not a git object name", "query parameter commit",
                  "give its lower-case hex digits, or the first 4 of them or more");
    filter.commit = *commit;
  }
  if (const auto testbed = request.query_value("testbed")) filter.testbed = *testbed;
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
  const auto filter = filter_of(request);
  if (!filter) return pass_on(filter);
  const auto found = service::list_runs(context.store, *filter, request.query_value("repository").value_or(""), *page);
  if (!found) return pass_on(found);
  wire::RunPage out;
  for (const service::Run& run : *found) out.runs.push_back(to_wire(run));
  out.next = next_page(*found, *page, [](const service::Run& last) { return last.id.value; });
  return json(200, wire::encode(out));
}

Result<http::Answer> get_run(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto wait = request.query_number("wait_s", 0, 0, limits::kLongPollMax.count());
  if (!wait) return pass_on(wait);
  auto run = service::whole_run(context.store, *id);
  if (!run) return pass_on(run);
  const auto stored = service::get_run(context.store, *id);
  if (!stored) return pass_on(stored);
  add_shown(*run, stored->policy);
  if (!is_finished(run->state) && *wait > 0 && !request.last_chance)
    return http::Park{run_topic(*id), std::chrono::seconds(*wait)};
  return json(200, wire::encode(*run));
}

Result<http::Answer> post_cancel(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto run = service::cancel(context.store, *id, request.identity.name, context.clock.now());
  if (!run) return pass_on(run);
  announce(context, *run);
  return json(200, wire::encode(to_wire(*run)));
}

Result<http::Answer> post_retry(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto retried = service::retry_run(context.store, *id, context.settings.queued_runs_max, request.identity.name,
                                          context.clock.now());
  if (!retried) return pass_on(retried);
  announce(context, retried->run);
  http::Response response = json(retried->queued ? 202 : 200, wire::encode(to_wire(retried->run)));
  response.headers.emplace_back("Location", "/api/v1/runs/" + std::to_string(retried->run.id.value));
  return response;
}

}  // namespace kernelgate::api

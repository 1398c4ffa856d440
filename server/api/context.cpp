// SPDX-License-Identifier: Apache-2.0
#include "server/api/context.hpp"

#include <charconv>

#include "core/wire/codec.hpp"
#include "core/wire/run_parts.hpp"

namespace kernelgate::api {

std::string run_topic(RunId run) { return "run:" + std::to_string(run.value); }

void announce(Context& context, const service::Run& run) {
  context.signals.notify(run_topic(run.id));
  // The end of a run may have queued the next step of a bisection.
  if (run.state == RunState::queued || is_finished(run.state)) context.signals.notify(kJobsTopic);
  context.signals.publish(http::Event{.topic = run.repository,
                                      .name = "run",
                                      .data = wire::encode(wire::RunEvent{.id = run.id,
                                                                          .repository = run.repository,
                                                                          .commit = run.commit,
                                                                          .state = run.state,
                                                                          .conclusion = run.conclusion,
                                                                          .progress = run.progress})});
}

http::Response json(int status, std::string body) {
  return http::Response{
      .status = status, .content_type = "application/json", .body = std::move(body) + "\n", .headers = {}};
}

http::Response no_content() { return http::Response{.status = 204, .content_type = {}, .body = {}, .headers = {}}; }

Result<std::int64_t> number_parameter(const http::Request& request, const std::string& what) {
  const std::string_view text = request.parameter("id");
  std::int64_t id = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc{} || stop != text.data() + text.size() || id < 1)
    return fail(Errc::not_found, "no such " + what + ": '" + std::string(text.substr(0, 40)) + "'", "path",
                "give the number that the list of them shows");
  return id;
}

Result<RunId> run_parameter(const http::Request& request) {
  const auto id = number_parameter(request, "run");
  if (!id) return pass_on(id);
  return RunId{*id};
}

Result<service::Page> page_of(const http::Request& request) {
  const auto limit = request.query_number("limit", limits::kPageDefault, 1, limits::kPageMax);
  if (!limit) return pass_on(limit);
  const auto before = request.query_number("before", 0, 0, INT64_MAX);
  if (!before) return pass_on(before);
  return service::Page{.before = *before, .limit = static_cast<int>(*limit)};
}

}  // namespace kernelgate::api

// SPDX-License-Identifier: Apache-2.0
#include "server/api/service.hpp"

#include "core/log/log.hpp"
#include "core/units/digest.hpp"
#include "server/api/accounts/identity.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/pages/no_page.hpp"
#include "server/http/problem.hpp"
#include "service/baselines/baselines.hpp"
#include "service/runs/claim.hpp"

namespace kernelgate::api {

struct Service::State {
  State(service::Store store, const Clock& clock, Settings settings)
      : context{.store = store, .clock = clock, .settings = std::move(settings), .signals = {}, .logins = {}} {}
  Context context;
  Identifier identify;
};

namespace {

// A fault of ours names no files or statements to untrusted people: the log has them, under an id.
http::Response refuse(const Error& error) {
  if (http::status_of(error.code) != 500) return http::problem(error);
  const std::string id = random_hex(8);
  log_error("incident " + id + ": " + to_string(error));
  return http::problem(500, to_string(error.code),
                       Error{error.code, "the server failed on this request; incident " + id, "",
                             "report the incident id to whoever runs the server"});
}

}  // namespace

Service::Service(service::Store store, const Clock& clock, Settings settings)
    : state_(std::make_unique<State>(store, clock, std::move(settings))) {}

Service::~Service() = default;

http::App Service::app() {
  State* state = state_.get();
  return http::App{
      .routes = routes(),
      .identify =
          [state](const http::Request& request) {
            const service::ReservedReading reserved;
            return state->identify(state->context, request);
          },
      .handle =
          [state](std::size_t route, const http::Request& request) {
            const service::ReservedReading reserved(endpoints()[route].route.reserved);
            auto answer = endpoints()[route].handler(state->context, request);
            return answer ? std::move(*answer) : http::Answer(refuse(answer.error()));
          },
      .check_head = [state](std::size_t route, const http::Request& request) -> std::optional<http::Response> {
        const service::ReservedReading reserved;
        const HeadCheck check = endpoints()[route].check_head;
        return check ? check(state->context, request) : std::nullopt;
      },
      .no_page = no_page};
}

void Service::attach(http::Server& server, std::chrono::milliseconds lease_check_every) {
  state_->context.signals = Signals{.notify = [&server](const std::string& topic) { server.notify(topic); },
                                    .publish = [&server](http::Event event) { server.publish(std::move(event)); },
                                    .counters = [&server] { return server.counters(); }};
  if (state_->context.settings.public_url.empty()) state_->context.settings.public_url = server.url();
  server.every(lease_check_every, [this] {
    const Status done = expire_leases();
    if (!done) log_error("leases could not be looked at: " + to_string(done.error()));
  });
  if (state_->context.settings.keep_samples_days > 0)
    server.every(std::chrono::hours(1), [this] {
      if (const Status done = thin_old_runs(); !done)
        log_error("old samples could not be thinned: " + to_string(done.error()));
    });
}

Status Service::thin_old_runs() {
  Context& context = state_->context;
  const wire::PruneRequest wanted{.older_than_days = context.settings.keep_samples_days, .dry_run = false};
  const auto done = service::prune(context.store, wanted, "server", context.clock.now());
  if (!done) return pass_on(done);
  return {};
}

Status Service::forgive_absence() {
  Context& context = state_->context;
  return service::extend_leases(context.store, context.clock.steady() + context.settings.lease);
}

Status Service::expire_leases() {
  Context& context = state_->context;
  const auto changed = service::expire_leases(context.store, context.clock);
  if (!changed) return pass_on(changed);
  for (const service::Run& run : *changed) {
    log_warn("run " + std::to_string(run.id.value) + " lost its runner: now " + std::string(to_string(run.state)));
    announce(context, run);
  }
  return {};
}

}  // namespace kernelgate::api

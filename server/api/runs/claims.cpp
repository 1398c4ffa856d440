// SPDX-License-Identifier: Apache-2.0
// A runner's work up to the measuring: claim, heartbeat, resolved, release.
#include <algorithm>

#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/runs/holder.hpp"
#include "service/runs/claim.hpp"
#include "service/runs/profiles.hpp"
#include "service/runs/work.hpp"

namespace kernelgate::api {

Result<http::Answer> post_claim(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::ClaimRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  if (wanted->runner.empty() || wanted->runner.size() > limits::kNameMax)
    return fail(Errc::invalid, "not a runner's name", "/runner", "1 to 100 bytes");
  if (wanted->testbed.name.empty() || wanted->testbed.name.size() > limits::kNameMax)
    return fail(Errc::invalid, "not a testbed's name", "/testbed/name", "1 to 100 bytes");
  const Instant now = context.clock.now();
  const service::Claimer claimer{
      .token = request.identity.token.value, .actor = request.identity.name, .lease = context.settings.lease};
  const auto claimed = service::claim(context.store, *wanted, claimer, now);
  if (!claimed) return pass_on(claimed);
  if (*claimed) {
    announce(context, (*claimed)->run);
    return json(200, wire::encode((*claimed)->claim));
  }
  // It claims that first, and comes back.
  const bool elsewhere =
      request.query_value("profiles") && service::profile_waits(context.store, wanted->testbed.name, now);
  const auto wait = std::clamp(std::chrono::seconds(wanted->wait_s), std::chrono::seconds(0), limits::kLongPollMax);
  if (elsewhere || wait.count() == 0 || request.last_chance) return no_content();
  return http::Park{kJobsTopic, wait};
}

Result<http::Answer> post_heartbeat(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto heartbeat = wire::decode<wire::Heartbeat>(request.body);
  if (!heartbeat) return pass_on(heartbeat);
  const RunState state = heartbeat->state;
  if (is_finished(state) || is_waiting(state))
    return fail(Errc::invalid, "not a state of work", "/state", "claimed, building, checking, measuring or deciding");
  const auto done = service::heartbeat(context.store, *id, holder_of(request, heartbeat->lease), state,
                                       heartbeat->progress, context.settings.lease, context.clock.now());
  if (!done) return pass_on(done);
  if (!done->cancelled) announce(context, done->run);
  return json(200, wire::encode(wire::HeartbeatReply{.cancel = done->cancelled}));
}

Result<http::Answer> post_resolved(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto resolved = wire::decode<wire::Resolved>(request.body);
  if (!resolved) return pass_on(resolved);
  const auto run =
      service::resolve(context.store, *id, *resolved, true, holder_of(request, resolved->lease), context.clock.now());
  if (!run) return pass_on(run);
  if (run->reused_from) announce(context, *run);
  wire::ResolvedReply reply;
  if (run->reused_from) reply.reused_from = run->reused_from->value;
  return json(200, wire::encode(reply));
}

Result<http::Answer> post_release(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto release = wire::decode<wire::Release>(request.body);
  if (!release) return pass_on(release);
  const auto run =
      service::release(context.store, *id, holder_of(request, release->lease), release->reason, context.clock.now());
  if (!run) return pass_on(run);
  announce(context, *run);
  return no_content();
}

}  // namespace kernelgate::api

// SPDX-License-Identifier: Apache-2.0
// /runs/{id}/counters: what a run's own profiles counted. /runs/{id}/profiles and /runner/profiles: profiles that
// people ask for, and the runners that make them.
#include "service/runs/profiles.hpp"

#include "core/wire/codec.hpp"
#include "core/wire/run_parts.hpp"
#include "server/api/endpoints.hpp"
#include "service/runs/queries.hpp"

namespace kernelgate::api {
namespace {

// The page of its run is looked at anew.
void announce_run(Context& context, std::int64_t run) {
  const auto row = service::get_run(context.store, RunId{run});
  if (row) announce(context, *row);
}

}  // namespace

Result<http::Answer> get_counters(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto found = service::counters_of(context.store, *id);
  if (!found) return pass_on(found);
  wire::RunCounters out;
  for (const auto& [suite, text] : *found) {
    auto profile = wire::decode<KernelProfile>(text);
    if (!profile) return fail(Errc::corrupt, "a stored profile cannot be read: " + to_string(profile.error()), suite);
    out.counters.push_back({.suite = suite, .profile = std::move(*profile)});
  }
  return json(200, wire::encode(out));
}

Result<http::Answer> get_profiles(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto list = service::list_profiles(context.store, *id);
  if (!list) return pass_on(list);
  return json(200, wire::encode(*list));
}

Result<http::Answer> post_profile(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto wanted = wire::decode<wire::ProfileRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const auto asked = service::ask_profile(context.store, *id, *wanted, request.identity.name, context.clock.now());
  if (!asked) return pass_on(asked);
  context.signals.notify(kJobsTopic);
  announce_run(context, asked->run);
  return json(202, wire::encode(*asked));
}

Result<http::Answer> post_profile_claim(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::ClaimRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const auto claimed =
      service::claim_profile(context.store, *wanted, request.identity.token.value, context.clock.now());
  if (!claimed) return pass_on(claimed);
  if (!*claimed) return no_content();
  announce_run(context, (*claimed)->run);
  return json(200, wire::encode(**claimed));
}

Result<http::Answer> post_profile_end(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "profile");
  if (!id) return pass_on(id);
  const auto end = wire::decode<wire::ProfileEnd>(request.body);
  if (!end) return pass_on(end);
  const auto done = service::end_profile(context.store, service::ProfileId{*id}, *end, request.identity.token.value,
                                         context.clock.now());
  if (!done) return pass_on(done);
  announce_run(context, done->run);
  return no_content();
}

}  // namespace kernelgate::api

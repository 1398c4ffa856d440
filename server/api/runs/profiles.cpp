// SPDX-License-Identifier: Apache-2.0
// /runs/{id}/counters: what a run's own profiles counted. /runs/{id}/profiles and /runner/profiles: profiles that
// people ask for, and the runners that make them.
#include "db/runs/profiles.hpp"

#include "core/units/digest.hpp"
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/json_text.hpp"
#include "server/api/runs/lease.hpp"

namespace kernelgate::api {
namespace {

// The page of its run is looked at anew.
void announce_run(Context& context, std::int64_t run) {
  const auto row =
      context.database.read([&](db::Connection& connection) { return db::get_run(connection, RunId{run}); });
  if (row) announce(context, *row);
}

}  // namespace

Result<http::Answer> get_counters(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto found = context.database.read([&](db::Connection& connection) -> Result<std::vector<db::Counted>> {
    const auto run = db::get_run(connection, *id);
    if (!run) return pass_on(run);
    return db::counters_of(connection, run->reused_from.value_or(*id));
  });
  if (!found) return pass_on(found);
  std::vector<std::string> values;
  for (const auto& [suite, profile] : *found)
    values.push_back(JsonObject{}.add("suite", suite).raw("profile", profile).str());
  return json(200, json_page("counters", values, std::nullopt));
}

Result<http::Answer> get_profiles(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto list = context.database.read([&](db::Connection& connection) -> Result<wire::ProfileList> {
    if (const auto run = db::get_run(connection, *id); !run) return pass_on(run);
    return db::list_profiles(connection, *id);
  });
  if (!list) return pass_on(list);
  return json(200, wire::encode(*list));
}

Result<http::Answer> post_profile(Context& context, const http::Request& request) {
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto wanted = wire::decode<wire::ProfileRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const auto asked = context.database.write([&](db::Connection& connection) -> Result<wire::Profile> {
    const auto run = db::get_run(connection, *id);
    if (!run) return pass_on(run);
    const auto made = db::ask_profile(connection, *run, *wanted, request.identity.name, context.clock.now());
    if (!made) return pass_on(made);
    return db::get_profile(connection, *made);
  });
  if (!asked) return pass_on(asked);
  context.signals.notify(kJobsTopic);
  announce_run(context, asked->run);
  return json(202, wire::encode(*asked));
}

Result<http::Answer> post_profile_claim(Context& context, const http::Request& request) {
  const auto wanted = wire::decode<wire::ClaimRequest>(request.body);
  if (!wanted) return pass_on(wanted);
  const std::string lease = random_hex(32);
  const auto claimed = context.database.write([&](db::Connection& connection) {
    return Result<std::optional<wire::ProfileClaim>>(db::claim_profile(
        connection,
        {.runner = wanted->runner, .testbed = wanted->testbed.name, .lease_sha256 = lease_hash(request, lease)},
        context.clock.now()));
  });
  if (!claimed) return pass_on(claimed);
  if (!*claimed) return no_content();
  announce_run(context, (*claimed)->run);
  wire::ProfileClaim answer = **claimed;
  answer.lease = lease;
  return json(200, wire::encode(answer));
}

Result<http::Answer> post_profile_end(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "profile");
  if (!id) return pass_on(id);
  const auto end = wire::decode<wire::ProfileEnd>(request.body);
  if (!end) return pass_on(end);
  const db::ProfileId profile{*id};
  const auto done = context.database.write([&](db::Connection& connection) -> Result<wire::Profile> {
    const Status ended =
        db::end_profile(connection, profile, lease_hash(request, end->lease), *end, context.clock.now());
    if (!ended) return pass_on(ended);
    return db::get_profile(connection, profile);
  });
  if (!done) return pass_on(done);
  announce_run(context, done->run);
  return no_content();
}

}  // namespace kernelgate::api

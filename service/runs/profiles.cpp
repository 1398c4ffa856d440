// SPDX-License-Identifier: Apache-2.0
#include "service/runs/profiles.hpp"

#include "core/units/digest.hpp"
#include "service/runs/lease.hpp"

namespace kernelgate::service {

Result<std::vector<Counted>> counters_of(Store store, RunId id) {
  return store.read([&](db::Connection& connection) -> Result<std::vector<Counted>> {
    const auto run = db::get_run(connection, id);
    if (!run) return pass_on(run);
    return db::counters_of(connection, run->reused_from.value_or(id));
  });
}

Result<wire::ProfileList> list_profiles(Store store, RunId id) {
  return store.read([&](db::Connection& connection) -> Result<wire::ProfileList> {
    if (const auto run = db::get_run(connection, id); !run) return pass_on(run);
    return db::list_profiles(connection, id);
  });
}

Result<wire::Profile> ask_profile(Store store, RunId id, const wire::ProfileRequest& wanted, const std::string& actor,
                                  Instant now) {
  return store.write([&](db::Connection& connection) -> Result<wire::Profile> {
    const auto run = db::get_run(connection, id);
    if (!run) return pass_on(run);
    const auto made = db::ask_profile(connection, *run, wanted, actor, now);
    if (!made) return pass_on(made);
    return db::get_profile(connection, *made);
  });
}

bool profile_waits(Store store, const std::string& testbed, Instant now) {
  return store.read([&](db::Connection& connection) { return db::profile_waits(connection, testbed, now); })
      .value_or(false);
}

Result<std::optional<wire::ProfileClaim>> claim_profile(Store store, const wire::ClaimRequest& wanted,
                                                        std::int64_t token, Instant now) {
  const std::string lease = random_hex(32);
  auto claimed = store.write([&](db::Connection& connection) {
    return db::claim_profile(
        connection, {.runner = wanted.runner, .testbed = wanted.testbed.name, .lease_sha256 = lease_hash(lease, token)},
        now);
  });
  if (claimed && *claimed) (*claimed)->lease = lease;
  return claimed;
}

Result<wire::Profile> end_profile(Store store, ProfileId profile, const wire::ProfileEnd& end, std::int64_t token,
                                  Instant now) {
  return store.write([&](db::Connection& connection) -> Result<wire::Profile> {
    const Status ended = db::end_profile(connection, profile, lease_hash(end.lease, token), end, now);
    if (!ended) return pass_on(ended);
    return db::get_profile(connection, profile);
  });
}

}  // namespace kernelgate::service

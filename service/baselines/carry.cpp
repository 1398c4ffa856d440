// SPDX-License-Identifier: Apache-2.0
#include "service/baselines/carry.hpp"

#include "db/accounts/audit.hpp"
#include "db/baselines/carried.hpp"

namespace kernelgate::service {

int carry_baselines(db::Connection& connection, const Carry& carry, Instant now) {
  int carried = 0;
  for (const db::CarrySource& source : db::carry_sources(connection, carry.repository, carry.commit, carry.to)) {
    const std::string reason = "carried from epoch " + std::to_string(source.epoch.value) + ": " + carry.text;
    const BaselineId copy = db::copy_baseline(
        connection, {.source = source.id, .to = carry.to, .actor = carry.actor, .reason = reason}, now);
    if (db::copy_benchmarks(connection, source.id, copy, carry.figures) == 0) {
      db::drop_baseline(connection, copy);
      continue;
    }
    ++carried;
    db::log_action(connection,
                   {.actor = carry.actor,
                    .action = "baseline.carry",
                    .subject = "baseline " + std::to_string(copy.value),
                    .detail = source.name + ": " + reason},
                   now);
  }
  return carried;
}

}  // namespace kernelgate::service

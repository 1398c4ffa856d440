// SPDX-License-Identifier: Apache-2.0
#include "db/accounts/audit.hpp"

namespace kernelgate::db {

void log_action(Connection& connection, const Act& act, Instant now) {
  connection.run("INSERT INTO acts (at, actor, act, subject, detail) VALUES (?, ?, ?, ?, ?)", now, act.actor, act.act,
                 act.subject, act.detail);
}

std::vector<LoggedAction> list_actions(Connection& connection, const Page& page, const ActFilter& filter) {
  Statement row = connection.query(
      "SELECT id, at, actor, act, subject, detail FROM acts WHERE id < ? AND (? = '' OR actor = ?) "
      "AND (? = '' OR act = ? OR substr(act, 1, length(?) + 1) = ? || '.') AND (? = '' OR subject = ?) AND at >= ? "
      "ORDER BY id DESC LIMIT ?",
      first_below(page), filter.actor, filter.actor, filter.act, filter.act, filter.act, filter.act, filter.subject,
      filter.subject, filter.since.value_or(Instant::min()), row_limit(page));
  std::vector<LoggedAction> acts;
  while (row.step())
    acts.push_back({.id = row.integer(0),
                    .at = row.instant(1),
                    .act = {.actor = row.text(2), .act = row.text(3), .subject = row.text(4), .detail = row.text(5)}});
  return acts;
}

wire::LoggedAction to_wire(const LoggedAction& act) {
  return {.id = act.id,
          .at = act.at,
          .actor = act.act.actor,
          .act = act.act.act,
          .subject = act.act.subject,
          .detail = act.act.detail};
}

}  // namespace kernelgate::db

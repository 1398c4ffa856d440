// SPDX-License-Identifier: Apache-2.0
#include "db/accounts/audit.hpp"

namespace kernelgate::db {

void log_action(Connection& connection, const Action& action, Instant now) {
  connection.run("INSERT INTO audit_log (at, actor, action, subject, detail) VALUES (?, ?, ?, ?, ?)", now, action.actor,
                 action.action, action.subject, action.detail);
}

std::vector<LoggedAction> list_actions(Connection& connection, const Page& page, const ActionFilter& filter) {
  Statement row = connection.query(
      "SELECT id, at, actor, action, subject, detail FROM audit_log WHERE id < ? AND (? = '' OR actor = ?) "
      "AND (? = '' OR action = ? OR substr(action, 1, length(?) + 1) = ? || '.') AND (? = '' OR subject = ?) AND at >= "
      "? "
      "ORDER BY id DESC LIMIT ?",
      first_below(page), filter.actor, filter.actor, filter.action, filter.action, filter.action, filter.action,
      filter.subject, filter.subject, filter.since.value_or(Instant::min()), row_limit(page));
  std::vector<LoggedAction> out;
  while (row.step())
    out.push_back(
        {.id = row.integer(0),
         .at = row.instant(1),
         .action = {.actor = row.text(2), .action = row.text(3), .subject = row.text(4), .detail = row.text(5)}});
  return out;
}

wire::LoggedAction to_wire(const LoggedAction& logged) {
  return {.id = logged.id,
          .at = logged.at,
          .actor = logged.action.actor,
          .action = logged.action.action,
          .subject = logged.action.subject,
          .detail = logged.action.detail};
}

}  // namespace kernelgate::db

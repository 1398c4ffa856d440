// SPDX-License-Identifier: Apache-2.0
#include "db/audit.hpp"

namespace kernelgate::db {

void log_act(Connection& connection, const Act& act, Instant now) {
  connection.run("INSERT INTO acts (at, actor, act, subject, detail) VALUES (?, ?, ?, ?, ?)", now, act.actor, act.act,
                 act.subject, act.detail);
}

std::vector<LoggedAct> list_acts(Connection& connection, const Page& page) {
  Statement row =
      connection.query("SELECT id, at, actor, act, subject, detail FROM acts WHERE id < ? ORDER BY id DESC LIMIT ?",
                       first_below(page), row_limit(page));
  std::vector<LoggedAct> acts;
  while (row.step())
    acts.push_back({.id = row.integer(0),
                    .at = row.instant(1),
                    .act = {.actor = row.text(2), .act = row.text(3), .subject = row.text(4), .detail = row.text(5)}});
  return acts;
}

}  // namespace kernelgate::db

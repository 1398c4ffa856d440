// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who did what to a run, for the audit log (docs/WIRE.md, "Acts"). Call in the transaction that did it.

#include <string>
#include <string_view>

#include "db/accounts/audit.hpp"
#include "server/http/message.hpp"

namespace kernelgate::api {

inline void log_run(db::Connection& connection, const http::Request& request, std::string_view act, RunId run,
                    std::string detail, Instant now) {
  db::log_action(connection,
                 {.actor = request.identity.name,
                  .act = std::string(act),
                  .subject = "run " + std::to_string(run.value),
                  .detail = std::move(detail)},
                 now);
}

}  // namespace kernelgate::api

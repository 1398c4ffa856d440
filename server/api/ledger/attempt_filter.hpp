// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which attempts a request asks for: the query parameters that the list and the tuning report share.

#include "db/ledger/attempts.hpp"
#include "server/http/message.hpp"

namespace kernelgate::api {

// not_found: no such repository. invalid: an unknown outcome, or no time.
[[nodiscard]] Result<db::AttemptFilter> attempt_filter(db::Connection& connection, const http::Request& request,
                                                       Instant now);

}  // namespace kernelgate::api

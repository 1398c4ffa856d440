// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which unfinished runs a newer push to the same branch or pull request makes pointless. Finished runs stay as they
// are. Private to service/; call inside a Database work, together with what adds the newer run.

#include <string_view>
#include <vector>

#include "db/runs/lines.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::service {

// Cancels the line's unfinished runs of other commits than newer's, or of another target, each naming it.
// The answer: those runs.
[[nodiscard]] Result<std::vector<RunId>> supersede(db::Connection& connection, const db::Line& line, RunId newer,
                                                   Instant now);

// Cancels all that are unfinished on the line: it was closed or deleted.
[[nodiscard]] Result<std::vector<RunId>> cancel_line(db::Connection& connection, const db::Line& line,
                                                     std::string_view reason, Instant now);

}  // namespace kernelgate::service

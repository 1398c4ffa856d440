// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who may add to a run. A lease is a secret given out with a claim. The store knows only its SHA-256 together with the
// token that claimed, so a lease is worth nothing under another token, and the time that a comparison of hashes takes
// says nothing about the secret. A local run has no lease: the process that made it holds it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "db/runs/runs.hpp"

namespace kernelgate::service {

[[nodiscard]] std::string lease_hash(std::string_view secret, std::int64_t token);

struct Holder {
  std::optional<std::string> lease_sha256{};  // none: the process that made the run
  std::string actor{};                        // for the audit log; empty: what is done is not logged
};

// Call inside a Database work. not_found: no such run. conflict: the lease is lost, or the run is finished or
// cancelled.
[[nodiscard]] Status check_holder(db::Connection& connection, RunId run, const Holder& holder);

// A line of the audit log about a run. Call in the transaction that did it.
void log_run(db::Connection& connection, const std::string& actor, std::string_view action, RunId run,
             std::string detail, Instant now);

}  // namespace kernelgate::service

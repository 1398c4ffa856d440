// SPDX-License-Identifier: Apache-2.0
#pragma once

// A lease is a secret given out with a claim. The store knows only its SHA-256 together with the
// token that claimed, so a lease is worth nothing under another token, and the time that a
// comparison of hashes takes says nothing about the secret.

#include <string>
#include <string_view>

#include "db/runs/jobs.hpp"
#include "server/http/message.hpp"

namespace kernelgate::api {

[[nodiscard]] std::string lease_hash(const http::Request& request, std::string_view secret);

// not_found: no such run. conflict: the lease is lost, or the run is finished or cancelled.
[[nodiscard]] Status check_lease(db::Connection& connection, RunId run, std::string_view hash);

}  // namespace kernelgate::api

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whom a runner's request speaks for: the lease that its body names, under the token that it came with.

#include <string_view>

#include "server/http/message.hpp"
#include "service/runs/lease.hpp"

namespace kernelgate::api {

[[nodiscard]] inline service::Holder holder_of(const http::Request& request, std::string_view lease) {
  return {.lease_sha256 = service::lease_hash(lease, request.identity.token.value), .actor = request.identity.name};
}

}  // namespace kernelgate::api

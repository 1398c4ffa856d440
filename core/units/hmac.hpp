// SPDX-License-Identifier: Apache-2.0
#pragma once

// HMAC-SHA256 (RFC 2104): what webhooks are signed with, ours and those that we receive. Pure.

#include <string>
#include <string_view>

namespace kernelgate {

// Lower-case hex.
[[nodiscard]] std::string hmac_sha256_hex(std::string_view key, std::string_view bytes);

}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Base64 (RFC 4648) by OpenSSL. Pure.

#include <optional>
#include <string>
#include <string_view>

namespace kernelgate {

[[nodiscard]] std::string to_base64(std::string_view bytes);

// With '-' and '_', without padding: what JSON Web Tokens carry.
[[nodiscard]] std::string to_base64url(std::string_view bytes);

// Nothing: not base64. Padding may be left out.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a GitHub App signs itself in with: a JSON Web Token, RS256, by OpenSSL.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/units/result.hpp"
#include "core/units/time.hpp"

namespace kernelgate::forge {

// Valid for nine minutes (GitHub allows ten), from a minute ago (clocks differ). invalid: `pem` is no RSA private key.
[[nodiscard]] Result<std::string> app_jwt(std::string_view pem, std::int64_t app_id, Instant now);

}  // namespace kernelgate::forge

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads the secret that identifies us to a server. The file must be ours alone: any access for group or others is
// refused, because a token that others can read is no secret.

#include <filesystem>
#include <string>

#include "core/units/result.hpp"

namespace kernelgate {

// The token: "kg_" and 64 hex digits; white space round it is dropped. Errors never hold any of it.
[[nodiscard]] Result<std::string> read_token_file(const std::filesystem::path& path);

}  // namespace kernelgate

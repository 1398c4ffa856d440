// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads the secret that identifies us to a server. The file must be ours alone: any access for group or others is
// refused, because a token that others can read is no secret. A command's client is opened here too.

#include <filesystem>
#include <string>

#include "client/client.hpp"
#include "core/units/result.hpp"

namespace kernelgate {

// The token: "kg_" and 64 hex digits; white space round it is dropped. Errors never hold any of it.
[[nodiscard]] Result<std::string> read_token_file(const std::filesystem::path& path);

// A client with the token of that file.
[[nodiscard]] Result<Client> open_client(ClientOptions options, const std::filesystem::path& token_file);

}  // namespace kernelgate

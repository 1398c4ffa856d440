// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads and writes a secret (a token, a key) in a file that must be ours alone: any access for group or others is
// refused, because what others can read is no secret. Errors never hold any of it.

#include <cstddef>
#include <filesystem>
#include <string>

#include "core/units/result.hpp"

namespace kernelgate {

// White space round it is dropped. `what` names it in errors: "token". too_large: over `bytes_max`; invalid: absent,
// empty, no plain file, or open to others.
[[nodiscard]] Result<std::string> read_secret_file(const std::filesystem::path& path, const std::string& what,
                                                   std::size_t bytes_max);

// In the place of what was there; never readable by others, not even for a moment, and on the disk when it returns.
[[nodiscard]] Status write_secret_file(const std::filesystem::path& path, const std::string& text);

}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads files that untrusted code left in a folder: regular files alone, no link that leads out of the folder, and no
// more than a stated size (a sparse file of a few blocks may claim terabytes). Linux 5.6 and later (openat2).

#include <filesystem>
#include <string>

#include "core/units/limits.hpp"
#include "core/units/result.hpp"

namespace kernelgate {

// Errc::not_found: no such file; Errc::invalid: no regular file, or a path that leaves `folder`; Errc::too_large.
[[nodiscard]] Result<std::string> read_foreign_file(const std::filesystem::path& folder,
                                                    const std::filesystem::path& relative, Bytes size_max);

// A regular file below the folder that no link leads to.
[[nodiscard]] bool is_plain_file(const std::filesystem::path& folder, const std::filesystem::path& relative);

}  // namespace kernelgate

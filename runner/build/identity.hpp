// SPDX-License-Identifier: Apache-2.0
#pragma once

// Proves two builds of a suite to be the same program: a hash of what the loader maps (allocated ELF sections, device
// code among them; build ids, notes and debug information left out) of the executable and of every shared library and
// device code file in its build folder. Only proof counts: a script, or a line that reads {source}, has no identity.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/units/result.hpp"

namespace kernelgate {

// Errc::corrupt for a file that is not ELF or is cut short.
[[nodiscard]] Result<std::string> hash_elf(const std::filesystem::path& file);

// `line` is a run line of the manifest, unexpanded ("{build}/bench --flag"). Empty: can not be proven.
[[nodiscard]] Result<std::optional<std::string>> suite_identity(const std::filesystem::path& build,
                                                                std::string_view line);

}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ownership and modes of whole folders. Symbolic links are never followed; nothing outside the folder changes.

#include <filesystem>

#include "core/units/result.hpp"

namespace kernelgate {

// The folder itself may then be entered by all: bubblewrap enters it as a root without capabilities.
[[nodiscard]] Status give_tree_to(const std::filesystem::path& folder, unsigned uid, unsigned gid);

// Read-only for everybody and, where we are root, root's. Sockets, pipes and devices are removed.
[[nodiscard]] Status seal_tree(const std::filesystem::path& folder);

// Removes a folder even if it is sealed. One that does not exist is fine.
[[nodiscard]] Status remove_tree(const std::filesystem::path& folder);

}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether a path can be that of a store, before SQLite is asked: a mistyped one must not be answered with what SQLite
// says of the first statement.

#include <filesystem>

#include "core/units/result.hpp"

namespace kernelgate::db {

// A new file in a folder that is there is good. invalid: a folder, or a file of another kind. not_found: no such
// folder.
[[nodiscard]] Status check_store_file(const std::filesystem::path& file);

}  // namespace kernelgate::db

// SPDX-License-Identifier: Apache-2.0
#pragma once

// A consistent copy of a store that may be in use by a server, and the proof that a file is whole.
// Opens connections of its own; any thread.

#include <filesystem>
#include <string>

#include "core/units/result.hpp"
#include "core/units/strong.hpp"

namespace kernelgate::db {

struct BackupReport {
  Bytes size;
  int pages = 0;
  int schema_version = 0;
};

// Writes to a temporary name beside `to`, checks it, then renames it. conflict: `to` exists.
[[nodiscard]] Result<BackupReport> back_up(const std::filesystem::path& from, const std::filesystem::path& to);

// corrupt: what SQLite's integrity check or the foreign keys complain about.
[[nodiscard]] Status check_integrity(const std::filesystem::path& file);

}  // namespace kernelgate::db

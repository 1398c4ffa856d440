// SPDX-License-Identifier: Apache-2.0
#pragma once

// One folder of the build cache: source/, build/, log.txt, notes/ and the file `entry`, which is written last, by
// rename: a folder without it was never finished. Private to runner/build.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/units/result.hpp"

namespace kernelgate::build_detail {

struct Entry {
  bool ok = false;
  std::string failed_stage;
  double seconds = 0;
  std::uint64_t bytes = 0;
  std::string digest;  // of source/ and build/
};

// Empty: never finished, or not what was written; then it is built anew. Reads every file of the entry.
[[nodiscard]] std::optional<Entry> load_entry(const std::filesystem::path& folder);

// Fills in bytes and digest, and finishes the folder.
[[nodiscard]] Status finish_entry(const std::filesystem::path& folder, const Entry& entry, const std::string& log);

[[nodiscard]] std::string read_text(const std::filesystem::path& file);
[[nodiscard]] Status write_text(const std::filesystem::path& file, const std::string& text);  // by rename

// Names, modes, link targets and contents of all files, and their size together.
struct TreeDigest {
  std::string hex;
  std::uint64_t bytes = 0;
};
[[nodiscard]] Result<TreeDigest> digest_tree(const std::filesystem::path& folder);

// Of regular files, by their apparent sizes; links are not followed.
[[nodiscard]] std::uint64_t size_of_tree(const std::filesystem::path& folder);

void mark_used(const std::filesystem::path& folder);

// A file of this name keeps an entry from being evicted.
inline constexpr const char* kPinned = "pinned";

// Removes the entries longest unused until the rest is within `size_max`; entries in use and pinned ones stay.
void evict(const std::filesystem::path& entries, const std::filesystem::path& locks, std::uint64_t size_max);

}  // namespace kernelgate::build_detail

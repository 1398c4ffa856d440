// SPDX-License-Identifier: Apache-2.0
#pragma once

// What lies in folders that foreign code fills, and when that is too much. Symbolic links are not followed. A file
// counts by its length, holes too: blocks may not be given to it before it is written out.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/units/limits.hpp"
#include "core/units/result.hpp"

namespace kernelgate {

struct TreeSize {
  Bytes used{};                    // of all files and folders; one with several names counts as often
  std::uint64_t files = 0;         // folders and links too
  std::filesystem::path closed{};  // a folder that we may not look into; empty: none
};

// Ends early once it is over either limit.
[[nodiscard]] TreeSize size_on_disk(const std::vector<std::filesystem::path>& folders, Bytes used_max,
                                    std::uint64_t files_max = limits::kTreeFilesMax);

// Holds growing folders to a size, and keeps some of the disk free: asked again and again while a program fills them.
class TreeQuota {
 public:
  TreeQuota(std::vector<std::filesystem::path> folders, Bytes used_max);

  // Why the program must end; empty: it may go on. Looks every kTreeLookEvery at the most.
  [[nodiscard]] std::string look();
  // The disk ran out rather than the quota: by files without a name, or by somebody else's.
  [[nodiscard]] bool disk_ran_out() const { return disk_ran_out_; }
  // What the disk had left when look() gave a reason.
  [[nodiscard]] std::uint64_t free_at_end() const { return free_; }

 private:
  std::vector<std::filesystem::path> folders_;
  Bytes used_max_;
  std::chrono::steady_clock::time_point next_;
  std::uint64_t free_ = 0;
  bool disk_ran_out_ = false;
};

// Of the file system that holds it; without bound where it cannot be asked.
[[nodiscard]] std::uint64_t free_bytes_of(const std::filesystem::path& folder);

// "8.0 GiB", "100 MiB"
[[nodiscard]] std::string readable_size(Bytes size);

}  // namespace kernelgate

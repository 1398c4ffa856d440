// SPDX-License-Identifier: Apache-2.0
#include "platform/files/tree_size.hpp"

#include <fts.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>

namespace kernelgate {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

TreeSize size_on_disk(const std::vector<fs::path>& folders, Bytes used_max, std::uint64_t files_max) {
  TreeSize out;
  std::vector<std::string> names;
  names.reserve(folders.size());
  for (const auto& folder : folders) names.push_back(folder.string());
  std::vector<char*> roots;
  roots.reserve(names.size() + 1);
  for (auto& name : names) roots.push_back(name.data());
  roots.push_back(nullptr);
  const std::unique_ptr<FTS, int (*)(FTS*)> walk(fts_open(roots.data(), FTS_PHYSICAL | FTS_NOCHDIR, nullptr),
                                                 fts_close);
  if (!walk) return out;
  while (const FTSENT* entry = fts_read(walk.get())) {
    if (entry->fts_info == FTS_DNR && entry->fts_errno != ENOENT && out.closed.empty()) out.closed = entry->fts_path;
    if (entry->fts_info == FTS_DP || entry->fts_info == FTS_NS || entry->fts_info == FTS_DNR) continue;
    ++out.files;
    const auto blocks = static_cast<std::uint64_t>(entry->fts_statp->st_blocks) * 512;
    const auto length = static_cast<std::uint64_t>(entry->fts_statp->st_size);
    out.used.value += entry->fts_info == FTS_F ? std::max(blocks, length) : blocks;
    if (out.used > used_max || out.files > files_max) break;
  }
  return out;
}

std::uint64_t free_bytes_of(const fs::path& folder) {
  std::error_code error;
  const auto space = fs::space(folder, error);
  return error ? std::numeric_limits<std::uint64_t>::max() : space.available;
}

std::string readable_size(Bytes size) {
  char text[40];
  const double mib = static_cast<double>(size.value) / (1024.0 * 1024);
  std::snprintf(text, sizeof text, mib < 1024 ? "%.0f MiB" : "%.1f GiB", mib < 1024 ? mib : mib / 1024);
  return text;
}

TreeQuota::TreeQuota(std::vector<fs::path> folders, Bytes used_max)
    : folders_(std::move(folders)), used_max_(used_max), next_(SteadyClock::now() + limits::kTreeLookEvery) {}

std::string TreeQuota::look() {
  const auto now = SteadyClock::now();
  if (now < next_) return {};
  const auto found = size_on_disk(folders_, used_max_);
  const auto after = SteadyClock::now();
  next_ = after + std::max<SteadyClock::duration>(limits::kTreeLookEvery, limits::kLookPauseShare * (after - now));
  free_ = std::numeric_limits<std::uint64_t>::max();
  for (const auto& folder : folders_) free_ = std::min(free_, free_bytes_of(folder));
  if (found.used > used_max_) return "its files take more than " + readable_size(used_max_) + " of disk";
  if (found.files > limits::kTreeFilesMax)
    return "it made more than " + std::to_string(limits::kTreeFilesMax) + " files";
  if (!found.closed.empty()) return "a folder that it made cannot be looked into: " + found.closed.string();
  disk_ran_out_ = free_ < limits::kDiskKept.value;
  return disk_ran_out_ ? "the disk has only " + readable_size(Bytes{free_}) + " left" : std::string();
}

}  // namespace kernelgate

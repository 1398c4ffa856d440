// SPDX-License-Identifier: Apache-2.0
#pragma once

// Choices kept in a file: one line of JSON each, as README.md says. Several processes may use one file: it is replaced
// as a whole under a lock beside it (FILE.lock). Nothing here fails a caller: what goes wrong is handed back in words.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kernels::autotune {

inline constexpr int kCacheFormat = 1;
inline constexpr std::size_t kCacheBytesMax = 1u << 20;  // thousands of choices; beyond it the oldest are dropped
inline constexpr std::size_t kLineBytesMax = 4096;

struct Entry {
  std::string environment, problem;  // texts of Key
  std::string configuration;
  double us = 0;

  friend bool operator==(const Entry&, const Entry&) = default;
};
[[nodiscard]] std::string to_line(const Entry& entry);  // without the line's end

// What of a file's text is of use to one environment. Pure.
struct Contents {
  std::map<std::string, Entry, std::less<>> mine;  // by problem; of several lines the last
  std::vector<std::string> kept;                   // lines that are good, or of another format
  int lines = 0;
  int corrupt = 0, other_format = 0, other_environment = 0;
  int first_ignored = 0;  // the line's number, from 1
};
[[nodiscard]] Contents read_lines(std::string_view text, std::string_view environment);

// What a file holds, and in `warning` what of it is ignored, where, and how to fix it; empty where all is well or
// there is no file.
struct Loaded {
  Contents contents;
  std::string warning;
};
[[nodiscard]] Loaded load(const std::string& path, std::string_view environment);

// Adds the entry in place of an older one of its problem and environment; corrupt lines go. Why it could not, in words;
// empty where it did. A file without a single line of ours is somebody else's and stays as it is.
[[nodiscard]] std::string store(const std::string& path, const Entry& entry);

}  // namespace kernels::autotune

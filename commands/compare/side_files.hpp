// SPDX-License-Identifier: Apache-2.0
#pragma once

// Result files of one side as processes, and what must be said of them. Private to commands/compare. Every error is the
// caller's and names the file.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands/compare/compare.hpp"
#include "core/decision/evidence/evidence.hpp"

namespace kernelgate::local {

// One side's processes, and what its files say of benchmarks as a whole.
struct SideFiles {
  std::vector<Process> processes;
  std::vector<std::string> benchmarks;  // in the order of first mention
  std::vector<std::string> skipped;
};

// The format of the first file, which all others must have too.
class OneFormat {
 public:
  [[nodiscard]] Result<SuiteFormat> take(std::string_view text, const std::string& path);

 private:
  std::optional<std::pair<SuiteFormat, std::string>> first_;
};

[[nodiscard]] Result<SideFiles> read_side(const CompareRequest& request, Side side,
                                          const std::vector<std::filesystem::path>& paths, OneFormat& formats);

// One process counted as two is evidence that nobody has.
void note_repeated(const std::vector<std::filesystem::path>& paths, std::vector<std::string>& notices);

// Files without a usable time of a benchmark that other files of theirs have: each is a process less.
void note_unused(const std::vector<Process>& processes, std::vector<std::string>& notices);

}  // namespace kernelgate::local

// SPDX-License-Identifier: Apache-2.0
#pragma once

// A private folder under the system's temporary folder, removed with the object. Private to runner/git.

#include <cstdlib>
#include <filesystem>
#include <string>

namespace kernelgate::git_detail {

class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code error;
    auto pattern = (std::filesystem::temp_directory_path(error) / "kernelgate-git-XXXXXX").string();
    if (const char* made = mkdtemp(pattern.data())) path_ = made;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }  // empty: could not be made

 private:
  std::filesystem::path path_;
};

}  // namespace kernelgate::git_detail

// SPDX-License-Identifier: Apache-2.0
#pragma once

// A private folder under the system's temporary folder, removed with the object.

#include <cstdlib>
#include <filesystem>
#include <string>

namespace kernelgate {

class ScratchFolder {
 public:
  // `use` stands in its name, for whoever finds one that was left: kernelgate-<use>-XXXXXX.
  explicit ScratchFolder(const std::string& use) {
    std::error_code error;
    auto pattern = (std::filesystem::temp_directory_path(error) / ("kernelgate-" + use + "-XXXXXX")).string();
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

}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The dashboard's files: those that the executable carries, those of a folder while developing, or none. Names are
// plain ("index.html", "assets/index-1a2b.js"); any other is not found, so no request leaves the folder. Thread-safe.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/units/result.hpp"

namespace kernelgate::assets {

struct EmbeddedFile {
  std::string_view name;
  std::string_view text;
  std::string_view gzip;  // the same, packed when the program was built
};
[[nodiscard]] std::span<const EmbeddedFile> embedded_files();  // made by the build from dashboards/dist

struct File {
  std::string text;
  std::string gzip;  // empty: not packed
  std::string_view content_type;
  std::string etag;        // quoted
  bool immutable = false;  // its name changes with its text
};

class Files {
 public:
  Files() = default;  // none
  [[nodiscard]] static Files embedded();
  // Read anew at each request. invalid: there is no index.html in it.
  [[nodiscard]] static Result<Files> in_folder(const std::filesystem::path& folder);

  [[nodiscard]] std::optional<File> find(std::string_view name) const;

 private:
  bool embedded_ = false;
  std::filesystem::path folder_;
};

}  // namespace kernelgate::assets

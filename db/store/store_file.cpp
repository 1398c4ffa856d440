// SPDX-License-Identifier: Apache-2.0
#include "db/store/store_file.hpp"

#include <array>
#include <fstream>
#include <string_view>

namespace kernelgate::db {

Status check_store_file(const std::filesystem::path& file) {
  constexpr std::string_view kMagic = "SQLite format 3";
  constexpr const char* kFix = "give the path of a kernelgate store, or of a new file";
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) {
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    if (std::filesystem::is_directory(folder, error)) return {};
    return fail(Errc::not_found, "the store's folder does not exist: " + folder.string(), file.string(),
                "make the folder, or give another path");
  }
  if (std::filesystem::is_directory(status))
    return fail(Errc::invalid, "is a folder, no kernelgate store", file.string(), kFix);
  std::ifstream in(file, std::ios::binary);
  std::array<char, kMagic.size()> begin{};
  in.read(begin.data(), begin.size());
  if (in.gcount() > 0 && std::string_view(begin.data(), static_cast<std::size_t>(in.gcount())) != kMagic)
    return fail(Errc::invalid, "is no kernelgate store", file.string(), kFix);
  return {};
}

}  // namespace kernelgate::db

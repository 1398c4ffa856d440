// SPDX-License-Identifier: Apache-2.0
#include "server/assets/files.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "core/units/digest.hpp"

namespace kernelgate::assets {
namespace {

constexpr std::string_view kFolder = "assets/";

constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
    {".html", "text/html; charset=utf-8"}, {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},   {".svg", "image/svg+xml"},
    {".json", "application/json"},         {".png", "image/png"},
};

std::string_view type_of(std::string_view name) {
  for (const auto& [ending, type] : kTypes)
    if (name.size() > ending.size() && name.substr(name.size() - ending.size()) == ending) return type;
  return {};
}

// One name, or one below assets/; letters, digits, '-', '_' and '.', the last never in front.
bool is_plain(std::string_view name) {
  if (name.substr(0, kFolder.size()) == kFolder) name.remove_prefix(kFolder.size());
  return !name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
  });
}

std::optional<std::string> text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace

Files Files::embedded() {
  Files out;
  out.embedded_ = true;
  return out;
}

Result<Files> Files::in_folder(const std::filesystem::path& folder) {
  Files out;
  out.folder_ = folder;
  if (!out.find("index.html"))
    return fail(Errc::invalid, "no index.html in the folder", folder.string(), "run 'npm run build' in dashboards/");
  return out;
}

std::optional<File> Files::find(std::string_view name) const {
  const std::string_view type = type_of(name);
  if (type.empty() || !is_plain(name)) return std::nullopt;
  std::optional<std::string> text;
  std::string gzip;
  if (!folder_.empty()) {
    text = text_of(folder_ / name);
  } else if (embedded_) {
    for (const EmbeddedFile& file : embedded_files())
      if (file.name == name) {
        text = std::string(file.text);
        gzip = std::string(file.gzip);
      }
  }
  if (!text) return std::nullopt;
  std::string etag = "\"" + sha256_hex(*text).substr(0, 32) + "\"";
  return File{.text = std::move(*text),
              .gzip = std::move(gzip),
              .content_type = type,
              .etag = std::move(etag),
              .immutable = embedded_ && name.substr(0, kFolder.size()) == kFolder};
}

}  // namespace kernelgate::assets

// SPDX-License-Identifier: Apache-2.0
#include "runner/source/large_files.hpp"

#include <fstream>
#include <iterator>
#include <string_view>

#include "core/units/limits.hpp"
#include "runner/source/mirror.hpp"

namespace kernelgate::git_detail {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPointerStart = "version https://git-lfs.github.com/spec/v1\n";
constexpr std::uintmax_t kPointerMost = 1024;  // from the LFS specification

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_attributes_file(const std::string& path) {
  constexpr std::string_view name = ".gitattributes";
  return path == name || (path.size() > name.size() && path.ends_with("/" + std::string(name)));
}

std::vector<std::string> find_pointers(const std::vector<TreeEntry>& entries, const fs::path& folder) {
  bool used = false;
  for (const auto& entry : entries)
    used = used || (is_attributes_file(entry.path) && entry.mode != "120000" &&
                    read_file(folder / entry.path).find("filter=lfs") != std::string::npos);
  std::vector<std::string> out;
  if (!used) return out;
  for (const auto& entry : entries) {
    std::error_code error;
    const auto path = folder / entry.path;
    if (entry.mode.rfind("100", 0) != 0 || fs::file_size(path, error) > kPointerMost || error) continue;
    if (read_file(path).rfind(kPointerStart, 0) == 0) out.push_back(entry.path);
  }
  return out;
}

}  // namespace

Status fetch_large_files(const Git& git, const std::vector<TreeEntry>& entries, const fs::path& folder,
                         const std::string& url, const std::stop_token& stop) {
  const auto pointers = find_pointers(entries, folder);
  if (pointers.empty()) return {};
  if (!git.call({.args = {"lfs", "version"}}))
    return fail(Errc::unsupported, "'" + pointers.front() + "' is a Git LFS file, and git-lfs is not installed", {},
                "install git-lfs on this machine");
  const auto remote = url.rfind('/', 0) == 0 ? "file://" + url : url;
  for (const auto& pointer : pointers) {
    auto content = git.call({.args = {"-c", "remote.origin.url=" + remote, "lfs", "smudge", "--", pointer},
                             .stdin_text = read_file(folder / pointer),
                             .timeout = limits::kFetchTimeout,
                             .stop = stop,
                             .output_max = limits::kLargeFileMax});
    if (!content) return fail(Errc::unavailable, content.error().what, pointer, "check that its LFS object was pushed");
    std::ofstream file(folder / pointer, std::ios::binary | std::ios::trunc);
    if (!file.write(content->data(), static_cast<std::streamsize>(content->size())).flush())
      return fail(Errc::io, "cannot write a Git LFS file: the disk may be full", pointer);
  }
  return {};
}

}  // namespace kernelgate::git_detail

// SPDX-License-Identifier: Apache-2.0
#include "runner/build/compiler_cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <regex>

#include "core/units/digest.hpp"
#include "platform/process/command_line.hpp"
#include "runner/sandbox/ownership.hpp"

namespace kernelgate::build_detail {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kInsideOwn = "/work/ccache";
constexpr std::string_view kInsideShared = "/work/ccache-shared";

// An object's path below its folder: two digits of its key, then the rest.
bool is_object(const fs::path& relative) {
  static const std::regex kName("[0-9a-v]{2}/[0-9a-v]{20,80}");
  return std::regex_match(relative.generic_string(), kName);
}

bool is_plain_file(const fs::path& path) {
  struct stat facts {};
  return lstat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_nlink == 1;
}

void remove_oldest(const fs::path& folder, Bytes size_max) {
  struct Object {
    fs::file_time_type stored;
    std::uintmax_t bytes;
    fs::path path;
  };
  std::vector<Object> all;
  std::uintmax_t total = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (!is_plain_file(it->path())) continue;
    all.push_back({it->last_write_time(error), it->file_size(error), it->path()});
    total += all.back().bytes;
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.stored < b.stored; });
  for (const auto& object : all) {
    if (total <= size_max.value) return;
    if (fs::remove(object.path, error)) total -= object.bytes;
  }
}

// ccache reads its list of stores as URLs between blanks.
std::string file_url(std::string_view path) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";
  std::string out = "file://";
  for (const char c : path) {
    if (kPlain.find(c) != kPlain.npos)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return out;
}

}  // namespace

fs::path shared_objects_of(const fs::path& root, std::string_view url) {
  return root / "ccache" / sha256_hex(url).substr(0, 16);
}

bool has_compiler_cache(const Sandbox& sandbox) {
  const auto asked = sandbox.run({.argv = shell_argv("CCACHE_CONFIGPATH=/dev/null CCACHE_REMOTE_ONLY=1 "
                                                     "ccache --show-config | grep -q 'remote_only = true'"),
                                  .cwd = "/tmp"},
                                 {});
  return asked && asked->ok();
}

std::vector<Mount> mounts_of(const CompilerCache& cache) {
  if (cache.own.empty()) return {};
  return {{cache.own, std::string(kInsideOwn), true}, {cache.shared, std::string(kInsideShared), false}};
}

std::vector<std::pair<std::string, std::string>> environment_of(const CompilerCache& cache, const Sandbox& sandbox) {
  if (cache.own.empty()) return {};
  const auto mounts = mounts_of(cache);
  const std::string own = sandbox.locate(mounts, kInsideOwn);
  std::vector<std::pair<std::string, std::string>> env{
      {"CCACHE_CONFIGPATH", "/dev/null"},  // a file in a folder that builds write could name a program to run
      {"CCACHE_DIR", own},
      {"CCACHE_REMOTE_ONLY", "1"},
      {"CCACHE_REMOTE_STORAGE",
       file_url(own + "/objects") + " " + file_url(sandbox.locate(mounts, kInsideShared)) + "|read-only=true"},
  };
  for (const char* language : {"C", "CXX", "CUDA"})
    env.emplace_back(std::string("CMAKE_") + language + "_COMPILER_LAUNCHER", "ccache");
  return env;
}

Status share_objects(const CompilerCache& cache, Bytes size_max) {
  const fs::path objects = cache.own / "objects";
  std::error_code error;
  std::vector<fs::path> found;
  if (!fs::is_symlink(objects, error))
    for (fs::recursive_directory_iterator it(objects, error), end; !error && it != end; it.increment(error))
      if (is_plain_file(it->path()) && is_object(it->path().lexically_relative(objects))) found.push_back(it->path());
  for (const fs::path& path : found) {
    const fs::path shared = cache.shared / path.lexically_relative(objects);
    fs::create_directories(shared.parent_path(), error);
    if (fs::exists(shared, error)) continue;
    fs::rename(path, shared, error);
    if (error) return fail(Errc::io, "cannot keep a compiled object: " + error.message(), shared.string());
    if (geteuid() == 0 && lchown(shared.c_str(), 0, 0) != 0) error = {errno, std::generic_category()};
    if (!error) fs::permissions(shared, fs::perms(0444), error);
    if (error) return fail(Errc::io, "cannot keep a compiled object: " + error.message(), shared.string());
  }
  if (auto removed = remove_tree(cache.own); !removed) return removed;
  if (!found.empty()) remove_oldest(cache.shared, size_max);
  return {};
}

}  // namespace kernelgate::build_detail

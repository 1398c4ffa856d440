// SPDX-License-Identifier: Apache-2.0
#include "runner/sandbox/ownership.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <vector>

namespace kernelgate {
namespace {

namespace fs = std::filesystem;

using Visit = std::function<bool(const fs::path&, fs::file_type)>;  // false: errno says why

Status walk(const fs::path& folder, const Visit& visit) {
  const auto failed = [](const fs::path& path, int error) {
    return fail(Errc::io, std::string("cannot change '") + path.string() + "': " + std::strerror(error));
  };
  if (!visit(folder, fs::file_type::directory)) return failed(folder, errno);
  std::error_code error;
  fs::recursive_directory_iterator it(folder, error), end;
  // The folder itself is visited before its contents, so a visit can make it readable first.
  for (; !error && it != end; it.increment(error))
    if (!visit(it->path(), it->symlink_status(error).type())) return failed(it->path(), errno);
  if (error) return failed(folder, error.value());
  return {};
}

}  // namespace

Status give_tree_to(const fs::path& folder, unsigned uid, unsigned gid) {
  auto done = walk(folder, [&](const fs::path& path, fs::file_type) { return lchown(path.c_str(), uid, gid) == 0; });
  if (done && chmod(folder.c_str(), 0755) != 0)
    return fail(Errc::io, std::string("cannot open '") + folder.string() + "': " + std::strerror(errno));
  return done;
}

Status seal_tree(const fs::path& folder) {
  const bool root = geteuid() == 0;
  std::vector<fs::path> odd;
  auto done = walk(folder, [&](const fs::path& path, fs::file_type type) {
    if (root && lchown(path.c_str(), 0, 0) != 0) return false;
    if (type == fs::file_type::symlink) return true;
    if (type == fs::file_type::directory) return chmod(path.c_str(), 0555) == 0;
    struct stat facts {};
    if (lstat(path.c_str(), &facts) != 0) return false;
    if (type != fs::file_type::regular) odd.push_back(path);
    return chmod(path.c_str(), (facts.st_mode & 0111) != 0 ? 0555 : 0444) == 0;
  });
  for (const auto& path : odd) {
    chmod(path.parent_path().c_str(), 0755);
    unlink(path.c_str());
    chmod(path.parent_path().c_str(), 0555);
  }
  return done;
}

Status remove_tree(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(folder, error))) return {};
  (void)walk(folder, [](const fs::path& path, fs::file_type type) {
    return type != fs::file_type::directory || chmod(path.c_str(), 0755) == 0;
  });
  fs::remove_all(folder, error);
  if (error) return fail(Errc::io, "cannot remove '" + folder.string() + "': " + error.message());
  return {};
}

}  // namespace kernelgate

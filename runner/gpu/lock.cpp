// SPDX-License-Identifier: Apache-2.0
#include "runner/gpu/lock.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kernelgate::gpu {
namespace {

namespace fs = std::filesystem;

// Nobody but its owner, and a group that an administrator gave it to, may enter it.
bool is_private(const fs::path& folder, uid_t owner) {
  struct stat found {};
  return lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == owner &&
         (found.st_mode & S_IRWXO) == 0;
}

bool make_private(const fs::path& folder) {
  mkdir(folder.c_str(), 0700);
  return is_private(folder, geteuid()) && access(folder.c_str(), W_OK | X_OK) == 0;
}

fs::path home() {
  const passwd* user = getpwuid(geteuid());
  return user != nullptr && user->pw_dir != nullptr ? user->pw_dir : "/nonexistent";
}

}  // namespace

fs::path lock_folder() {
  fs::path shared = "/run/kernelgate";
  if (geteuid() == 0 && make_private(shared)) return shared;
  if (is_private(shared, 0) && access(shared.c_str(), W_OK | X_OK) == 0) return shared;
  const fs::path session = fs::path("/run/user") / std::to_string(geteuid());
  for (const fs::path& parent : {session, home() / ".cache", home()})
    if (fs::path own = parent / ".kernelgate"; make_private(own)) return own;
  return {};
}

fs::path lock_file_of(const std::string& uuid) {
  std::string name = "gpu-";
  for (const char c : uuid.empty() ? std::string("unnamed") : uuid) name += c == '/' ? '-' : c;
  return lock_folder() / (name + ".lock");
}

std::optional<FileLock> try_lock_gpu(const std::string& uuid) {
  if (lock_folder().empty()) return std::nullopt;
  return FileLock::try_acquire(lock_file_of(uuid), LockKind::exclusive);
}

}  // namespace kernelgate::gpu

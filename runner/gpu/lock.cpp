// SPDX-License-Identifier: Apache-2.0
#include "runner/gpu/lock.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace kernelgate::gpu {

namespace fs = std::filesystem;

fs::path lock_file_of(const std::string& uuid) {
  std::string name = "kernelgate-card-";
  for (const char c : uuid.empty() ? std::string("unnamed") : uuid) name += c == '/' ? '-' : c;
  // /run/lock is for everybody where it exists; a folder that some users cannot enter would split the lock in two.
  struct stat found {};
  const bool shared = stat("/run/lock", &found) == 0 && (found.st_mode & S_IWOTH) != 0;
  return (shared ? fs::path("/run/lock") : fs::path("/tmp")) / (name + ".lock");
}

std::optional<FileLock> try_lock_gpu(const std::string& uuid) {
  return FileLock::try_acquire(lock_file_of(uuid), LockKind::exclusive);
}

}  // namespace kernelgate::gpu

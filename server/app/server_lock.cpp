// SPDX-License-Identifier: Apache-2.0
#include "server/app/server_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace kernelgate {
namespace {

// The descriptor that holds the lock.
Result<int> lock(const std::string& file, const std::string& held, const std::string& cure) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0)
    return fail(errno == ENOENT ? Errc::not_found : Errc::io, "cannot open: " + std::generic_category().message(errno),
                file);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  ::close(descriptor);
  return fail(Errc::conflict, held, file, cure);
}

}  // namespace

Result<ServerLock> ServerLock::take(const std::filesystem::path& data_dir) {
  std::error_code error;
  std::filesystem::create_directories(data_dir, error);
  if (error) return fail(Errc::io, "cannot make the data folder: " + error.message(), data_dir.string());
  const auto held = lock((data_dir / "server.lock").string(), "another server uses this data folder",
                         "stop it, or give --data another folder");
  if (!held) return pass_on(held);
  return ServerLock(*held);
}

Result<ServerLock> ServerLock::take_store(const std::filesystem::path& store) {
  std::error_code ignored;
  const std::filesystem::path file = std::filesystem::weakly_canonical(store, ignored);
  const auto held = lock((ignored ? store : file).string() + ".lock", "another server uses this store",
                         "stop it, or give --db another file");
  if (!held) return pass_on(held);
  return ServerLock(*held);
}

ServerLock::~ServerLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace kernelgate

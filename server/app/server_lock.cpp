// SPDX-License-Identifier: Apache-2.0
#include "server/app/server_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace kernelgate {

Result<ServerLock> ServerLock::take(const std::filesystem::path& data_dir) {
  std::error_code error;
  std::filesystem::create_directories(data_dir, error);
  if (error)
    return fail(Errc::io, "cannot make the data folder: " + error.message(), data_dir.string());
  const std::string file = (data_dir / "server.lock").string();
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0)
    return fail(Errc::io, "cannot open: " + std::generic_category().message(errno), file);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    ::close(descriptor);
    return fail(Errc::conflict, "another server uses this data folder", file,
                "stop it, or give --data another folder");
  }
  return ServerLock(descriptor);
}

ServerLock::~ServerLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace kernelgate

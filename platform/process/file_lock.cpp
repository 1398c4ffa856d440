// SPDX-License-Identifier: Apache-2.0
#include "platform/process/file_lock.hpp"

#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

namespace kernelgate {
namespace {

int operation(LockKind kind) { return kind == LockKind::shared ? LOCK_SH : LOCK_EX; }

Descriptor open_lock(const std::filesystem::path& file) {
  Descriptor fd(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640));
  // Another user's file can be locked too, though not written to.
  if (!fd.valid() && errno == EACCES) fd = Descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  return fd;
}

}  // namespace

Result<FileLock> FileLock::acquire(const std::filesystem::path& file, LockKind kind, const std::stop_token& stop) {
  Descriptor fd = open_lock(file);
  if (!fd.valid()) return fail(Errc::io, "cannot open the lock '" + file.string() + "': " + std::strerror(errno));
  // Asked again and again instead of blocking, so that a stop request is heard.
  while (flock(fd.get(), operation(kind) | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return fail(Errc::io, "cannot lock '" + file.string() + "': " + std::strerror(errno));
    if (stop.stop_requested()) return fail(Errc::unavailable, "stopped while waiting for '" + file.string() + "'");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return FileLock(std::move(fd));
}

std::optional<FileLock> FileLock::try_acquire(const std::filesystem::path& file, LockKind kind) {
  Descriptor fd = open_lock(file);
  if (!fd.valid() || flock(fd.get(), operation(kind) | LOCK_NB) != 0) return std::nullopt;
  return FileLock(std::move(fd));
}

void FileLock::share() { flock(fd_.get(), LOCK_SH | LOCK_NB); }

}  // namespace kernelgate

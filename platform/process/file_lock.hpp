// SPDX-License-Identifier: Apache-2.0
#pragma once

// An advisory lock on a file (flock), between threads and between processes; released by the destructor and by the
// death of the process. The file is made if missing and stays.

#include <filesystem>
#include <optional>
#include <stop_token>

#include "core/units/result.hpp"
#include "platform/files/descriptor.hpp"

namespace kernelgate {

enum class LockKind { shared, exclusive };

class FileLock {
 public:
  // Waits; Errc::unavailable on a stop request.
  [[nodiscard]] static Result<FileLock> acquire(const std::filesystem::path& file, LockKind kind,
                                                const std::stop_token& stop = {});
  // Empty if somebody else holds it.
  [[nodiscard]] static std::optional<FileLock> try_acquire(const std::filesystem::path& file, LockKind kind);
  // Lets others share what we held alone. Never waits.
  void share();

 private:
  explicit FileLock(Descriptor fd) : fd_(std::move(fd)) {}
  Descriptor fd_;
};

}  // namespace kernelgate

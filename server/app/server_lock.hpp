// SPDX-License-Identifier: Apache-2.0
#pragma once

// One server per data folder and per store: holds DIR/server.lock, or FILE.lock, until it is destroyed. The kernel lets
// go of it when the process dies, however it dies.

#include <filesystem>

#include "core/units/result.hpp"

namespace kernelgate {

class ServerLock {
 public:
  // Makes the folder where it is absent. conflict: another server holds it.
  [[nodiscard]] static Result<ServerLock> take(const std::filesystem::path& data_dir);
  // Two servers on one store would tell forges everything twice. not_found: no such folder.
  [[nodiscard]] static Result<ServerLock> take_store(const std::filesystem::path& store);
  ~ServerLock();
  ServerLock(ServerLock&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  ServerLock& operator=(ServerLock&&) = delete;

 private:
  explicit ServerLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace kernelgate

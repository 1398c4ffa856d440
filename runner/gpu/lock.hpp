// SPDX-License-Identifier: Apache-2.0
#pragma once

// One kernelgate at a time measures on a GPU: a lock on a file named after the GPU. Whoever can open a file can lock
// it, so the file lies in a folder that no other local user may enter: /run/kernelgate, which root makes for itself and
// which an administrator may make for a group (mode 0770) whose users then keep out of each other's way. A plain user
// without it has a folder of its own, and finds others on the GPU by the driver's list of processes alone. The GPU's
// device node would be no better: drivers let all users open it.

#include <filesystem>
#include <optional>
#include <string>

#include "platform/process/file_lock.hpp"

namespace kernelgate::gpu {

// Made if missing. Empty: there is none that is ours alone.
[[nodiscard]] std::filesystem::path lock_folder();
[[nodiscard]] std::filesystem::path lock_file_of(const std::string& uuid);

// Empty: somebody else measures on that GPU.
[[nodiscard]] std::optional<FileLock> try_lock_gpu(const std::string& uuid);

}  // namespace kernelgate::gpu

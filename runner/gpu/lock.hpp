// SPDX-License-Identifier: Apache-2.0
#pragma once

// One kernelgate at a time measures on a GPU: a lock on a file named after the GPU, which all runners and all
// `kernelgate run` of this machine find, whoever started them.

#include <filesystem>
#include <optional>
#include <string>

#include "platform/process/file_lock.hpp"

namespace kernelgate::gpu {

// In the folder that the machine keeps for locks, else in that for temporary files.
[[nodiscard]] std::filesystem::path lock_file_of(const std::string& uuid);

// Empty: somebody else measures on that GPU.
[[nodiscard]] std::optional<FileLock> try_lock_gpu(const std::string& uuid);

}  // namespace kernelgate::gpu

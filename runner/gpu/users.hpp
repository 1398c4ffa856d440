// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whose processes compute on a GPU. Ours descend from us: sessions and process groups change inside the sandbox,
// ancestors do not. In a container the driver may name processes by numbers that are not ours to see; then more
// processes than we started count as foreign.

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace kernelgate::gpu {

struct GpuUsers {
  bool known = false;   // the driver lists processes at all
  bool visible = true;  // all of them are ours to see
  int ours = 0;
  int foreign = 0;
  std::string first_foreign{};  // "python3 (process 4711)", or how many too many there are
};

// `started`: how many processes of ours may be on the GPU now.
[[nodiscard]] GpuUsers sort_users(const std::vector<unsigned>& pids, int started, pid_t us,
                                  const std::filesystem::path& proc = "/proc");

}  // namespace kernelgate::gpu

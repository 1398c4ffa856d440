// SPDX-License-Identifier: Apache-2.0
#include "platform/process/memory_use.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace kernelgate {
namespace {

namespace fs = std::filesystem;

// Without the pages of files, which the kernel can throw out.
std::uint64_t kib_of(const fs::path& process) {
  std::ifstream status(process / "status");
  std::uint64_t out = 0, value = 0;
  for (std::string line; std::getline(status, line);)
    if (std::sscanf(line.c_str(), "RssAnon: %lu", &value) == 1 ||
        std::sscanf(line.c_str(), "RssShmem: %lu", &value) == 1)
      out += value;
  return out;
}

}  // namespace

Bytes memory_of_tree(pid_t root) {
  std::uint64_t kib = 0;
  std::set<pid_t> seen;
  std::vector<pid_t> left{root};
  while (!left.empty()) {
    const pid_t pid = left.back();
    left.pop_back();
    if (!seen.insert(pid).second) continue;
    const fs::path process = "/proc/" + std::to_string(pid);
    kib += kib_of(process);
    std::error_code error;
    for (fs::directory_iterator it(process / "task", error), end; !error && it != end; it.increment(error)) {
      std::ifstream children(it->path() / "children");
      for (pid_t child = 0; children >> child;) left.push_back(child);
    }
  }
  return Bytes{kib << 10};
}

Bytes memory_of_machine() {
  return Bytes{static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))};
}

}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#include "runner/gpu/users.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "core/units/limits.hpp"

namespace kernelgate::gpu {
namespace {

namespace fs = std::filesystem;

// The fourth field of /proc/N/stat; the second may hold blanks and brackets. Empty: there is no such process.
std::optional<pid_t> parent_of(pid_t pid, const fs::path& proc) {
  std::ifstream file(proc / std::to_string(pid) / "stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  const auto end = line.rfind(')');
  if (end == std::string::npos) return std::nullopt;
  std::istringstream rest(line.substr(end + 1));
  std::string state;
  pid_t parent = 0;
  if (!(rest >> state >> parent)) return std::nullopt;
  return parent;
}

bool descends_from(pid_t pid, pid_t ancestor, const fs::path& proc) {
  for (int i = 0; i < limits::kProcessDepthMax && pid > 0; ++i) {
    if (pid == ancestor) return true;
    const auto parent = parent_of(pid, proc);
    if (!parent) return false;
    pid = *parent;
  }
  return false;
}

std::string name_of(pid_t pid, const fs::path& proc) {
  std::ifstream file(proc / std::to_string(pid) / "comm");
  std::string name;
  std::getline(file, name);
  return fmt::format("{} (process {})", name.empty() ? "a process" : name, pid);
}

}  // namespace

GpuUsers sort_users(const std::vector<unsigned>& pids, int started, pid_t us, const fs::path& proc) {
  GpuUsers out;
  out.known = true;
  int unseen = 0;
  for (const unsigned listed : pids) {
    const auto pid = static_cast<pid_t>(listed);
    if (pid <= 0 || !parent_of(pid, proc)) {
      ++unseen;
    } else if (descends_from(pid, us, proc)) {
      ++out.ours;
    } else if (++out.foreign == 1) {
      out.first_foreign = name_of(pid, proc);
    }
  }
  out.visible = unseen == 0;
  const int may_be_ours = std::min(unseen, std::max(0, started - out.ours));
  out.ours += may_be_ours;
  if (unseen == may_be_ours) return out;
  if (out.foreign == 0)
    out.first_foreign =
        fmt::format("{} more than we started, by numbers that cannot be seen here", unseen - may_be_ours);
  out.foreign += unseen - may_be_ours;
  return out;
}

}  // namespace kernelgate::gpu

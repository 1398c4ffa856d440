// SPDX-License-Identifier: Apache-2.0
#include "runner/sandbox/namespaces.hpp"

#include <fstream>

namespace kernelgate {
namespace {

// -1 where there is no such setting.
long setting(const std::filesystem::path& root, const char* name) {
  long value = -1;
  std::ifstream(root / "proc/sys" / name) >> value;
  return value;
}

}  // namespace

std::optional<Obstacle> namespaces_obstacle(const std::filesystem::path& root) {
  if (setting(root, "kernel/apparmor_restrict_unprivileged_userns") == 1)
    return Obstacle{
        "AppArmor keeps plain users from user namespaces (kernel.apparmor_restrict_unprivileged_userns = 1)",
        "let bubblewrap make them: sudo install -m 644 docs/apparmor/kernelgate-bwrap /etc/apparmor.d/ && "
        "sudo apparmor_parser -r /etc/apparmor.d/kernelgate-bwrap"};
  if (setting(root, "kernel/unprivileged_userns_clone") == 0)
    return Obstacle{"plain users may make no user namespaces (kernel.unprivileged_userns_clone = 0)",
                    "sudo sysctl kernel.unprivileged_userns_clone=1"};
  if (setting(root, "user/max_user_namespaces") == 0)
    return Obstacle{"no user namespaces may be made (user.max_user_namespaces = 0)",
                    "sudo sysctl user.max_user_namespaces=10000"};
  return std::nullopt;
}

}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a token may do. `admin` includes all, `read` is in every role but `badge`, `badge` is in every role;
// `trigger` and `runner` exclude each other. A `badge` token stands in URLs and sees badges and plots alone.

#include <array>
#include <optional>
#include <string_view>

namespace kernelgate {

enum class Role { badge, read, trigger, runner, admin };
inline constexpr std::array kRoles{Role::badge, Role::read, Role::trigger, Role::runner, Role::admin};

[[nodiscard]] constexpr std::string_view to_string(Role role) {
  switch (role) {
    case Role::badge: return "badge";
    case Role::read: return "read";
    case Role::trigger: return "trigger";
    case Role::runner: return "runner";
    case Role::admin: return "admin";
  }
  return "badge";
}

[[nodiscard]] constexpr std::optional<Role> parse_role(std::string_view text) {
  for (const Role role : kRoles)
    if (to_string(role) == text) return role;
  return std::nullopt;
}

[[nodiscard]] constexpr bool includes(Role held, Role needed) {
  if (held == Role::admin || held == needed) return true;
  return needed == Role::badge || (needed == Role::read && held != Role::badge);
}

}  // namespace kernelgate

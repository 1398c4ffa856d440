// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a token may do. `read` is in every role; `admin` includes all; `trigger` and `runner` exclude each other.

#include <optional>
#include <string_view>

namespace kernelgate {

enum class Role { read, trigger, runner, admin };

[[nodiscard]] constexpr std::string_view to_string(Role role) {
  switch (role) {
    case Role::read: return "read";
    case Role::trigger: return "trigger";
    case Role::runner: return "runner";
    case Role::admin: return "admin";
  }
  return "read";
}

[[nodiscard]] constexpr std::optional<Role> parse_role(std::string_view text) {
  for (const Role role : {Role::read, Role::trigger, Role::runner, Role::admin})
    if (to_string(role) == text) return role;
  return std::nullopt;
}

[[nodiscard]] constexpr bool includes(Role held, Role needed) {
  return held == Role::admin || held == needed || needed == Role::read;
}

}  // namespace kernelgate

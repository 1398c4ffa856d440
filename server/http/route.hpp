// SPDX-License-Identifier: Apache-2.0
#pragma once

// The table of routes: constexpr data, matched by segments. A `{name}` takes any one segment that is not empty,
// `{name}.svg` one that ends so. Pure.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "server/http/target.hpp"

namespace kernelgate::http {

using wire::Access;

struct Route {
  Method method = Method::get;  // GET also answers HEAD
  std::string_view pattern;     // "/api/v1/runs/{id}"
  Access access = Access::admin;
  bool reserved = false;  // done on threads that no reading can keep busy
};

struct Match {
  std::optional<std::size_t> route;  // index into the table
  Pairs parameters;
  std::string allow;  // "GET, HEAD, POST" where the path exists but not for this method; empty: no such path
};

[[nodiscard]] Match match(std::span<const Route> routes, Method method, const Target& target);

// The role that `access` asks for; nothing for open.
[[nodiscard]] std::optional<Role> needed_role(Access access);

// ok, unauthorized (no identity) or forbidden (another role).
[[nodiscard]] Status admit(Access access, const Identity& identity);

}  // namespace kernelgate::http

// SPDX-License-Identifier: Apache-2.0
#include "server/http/route.hpp"

namespace kernelgate::http {
namespace {

// Fills `parameters` where the pattern fits.
bool fits(std::string_view pattern, const std::vector<std::string>& segments, Pairs& parameters) {
  parameters.clear();
  std::string_view rest = pattern.substr(1);
  for (const std::string& segment : segments) {
    if (rest.empty() || segment.empty()) return false;
    const auto slash = rest.find('/');
    const auto part = rest.substr(0, slash);
    rest = slash == std::string_view::npos ? std::string_view{} : rest.substr(slash + 1);
    if (part.front() != '{') {
      if (part != segment) return false;
      continue;
    }
    const auto close = part.find('}');
    const auto ending = part.substr(close + 1);
    if (segment.size() <= ending.size() || segment.compare(segment.size() - ending.size(), ending.size(), ending) != 0)
      return false;
    parameters.emplace_back(part.substr(1, close - 1), segment.substr(0, segment.size() - ending.size()));
  }
  return rest.empty();
}

}  // namespace

Match match(std::span<const Route> routes, Method method, const Target& target) {
  const Method wanted = method == Method::head ? Method::get : method;
  Match out;
  Pairs parameters;
  for (std::size_t i = 0; i < routes.size(); ++i) {
    if (!fits(routes[i].pattern, target.segments, parameters)) continue;
    if (routes[i].method == wanted) return Match{i, std::move(parameters), {}};
    out.allow += (out.allow.empty() ? "" : ", ") + std::string(to_string(routes[i].method));
    if (routes[i].method == Method::get) out.allow += ", HEAD";
  }
  return out;
}

std::optional<Role> needed_role(Access access) {
  switch (access) {
    case Access::open: return std::nullopt;
    case Access::badge: return Role::badge;
    case Access::read: return Role::read;
    case Access::trigger: return Role::trigger;
    case Access::runner: return Role::runner;
    case Access::admin: return Role::admin;
  }
  return Role::admin;
}

Status admit(Access access, const Identity& identity) {
  const auto needed = needed_role(access);
  if (!needed) return {};
  const std::string role(to_string(*needed));
  if (!identity.role)
    return fail(Errc::unauthorized, "this needs a token", "header Authorization",
                "send 'Authorization: Bearer TOKEN' with a token of role " + role);
  if (!includes(*identity.role, *needed))
    return fail(Errc::forbidden, "a token of role " + std::string(to_string(*identity.role)) + " may not do this",
                "header Authorization", "use a token of role " + role);
  return {};
}

}  // namespace kernelgate::http

// SPDX-License-Identifier: Apache-2.0
#include "server/api/endpoints.hpp"

#include <array>

namespace kernelgate::api {
namespace {

// Runners, webhooks, and whatever changes something; and the question whether the server is well.
constexpr bool is_reserved(http::Method method, std::string_view path, http::Access access) {
  return method != http::Method::get || access == http::Access::runner || path == "/healthz";
}

constexpr Endpoint page_of(std::string_view path) {
  return {{http::Method::get, path, http::Access::open}, get_dashboard, nullptr};
}

constexpr HeadCheck head_check_of(std::string_view path) {
  if (path.starts_with("/webhooks/")) return check_webhook_head;
  return path == "/api/v1/session" ? check_login_head : nullptr;
}

#define KG_API_ROW(NAME, METHOD, PATH, ACCESS, ...)                         \
  Endpoint{{http::Method::METHOD, PATH, http::Access::ACCESS,               \
            is_reserved(http::Method::METHOD, PATH, http::Access::ACCESS)}, \
           NAME,                                                            \
           head_check_of(PATH)},
constexpr Endpoint kAnswered[] = {KG_WIRE_ENDPOINTS(KG_API_ROW)};
#undef KG_API_ROW

constexpr auto kEndpoints = [] {
  std::array<Endpoint, std::size(kAnswered) + std::size(wire::kPages)> out{};
  std::size_t i = 0;
  for (const Endpoint& one : kAnswered) out[i++] = one;
  for (const wire::PagePath& page : wire::kPages) out[i++] = page_of(page.path);
  return out;
}();

constexpr auto kRoutes = [] {
  std::array<http::Route, kEndpoints.size()> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = kEndpoints[i].route;
  return out;
}();

}  // namespace

std::span<const Endpoint> endpoints() { return kEndpoints; }

std::span<const http::Route> routes() { return kRoutes; }

}  // namespace kernelgate::api

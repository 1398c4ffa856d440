// SPDX-License-Identifier: Apache-2.0
#include "core/wire/endpoints.hpp"

#include <array>
#include <type_traits>

namespace kernelgate::wire {
namespace {

constexpr std::array<std::string_view, 7> kMethods{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OTHER"};
constexpr std::array<std::string_view, 6> kAccess{"open", "badge", "read", "trigger", "runner", "admin"};

template <class Body>
constexpr Content content_of() {
  Content out{.type = content_type<Body>()};
  if constexpr (!std::is_same_v<Body, Nothing> && !requires { Body::kType; }) out.schema = &schema<Body>;
  return out;
}

template <class Body, class Answer>
constexpr EndpointRow row_of(std::string_view name, const Endpoint<Body, Answer>& one) {
  return {.name = name,
          .method = one.method,
          .path = one.path,
          .access = one.access,
          .body = content_of<Body>(),
          .answer = content_of<Answer>(),
          .summary = one.summary};
}

#define KG_WIRE_ROW(NAME, ...) row_of(#NAME, endpoint::NAME),
const EndpointRow kEndpoints[] = {KG_WIRE_ENDPOINTS(KG_WIRE_ROW)};
#undef KG_WIRE_ROW

}  // namespace

std::string_view to_string(Method method) { return kMethods[static_cast<std::size_t>(method)]; }
std::string_view to_string(Access access) { return kAccess[static_cast<std::size_t>(access)]; }

std::span<const EndpointRow> endpoints() { return kEndpoints; }

}  // namespace kernelgate::wire

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The handlers of the table of endpoints (core/wire/endpoints.hpp): a function of the row's name, in the file of its
// resource.

#include <optional>
#include <span>

#include "core/wire/endpoints.hpp"
#include "server/api/context.hpp"
#include "server/http/route.hpp"

namespace kernelgate::api {

// Looks at an open route's headers before a body is read: an answer ends the request.
using HeadCheck = std::optional<http::Response> (*)(Context& context, const http::Request& request);

struct Endpoint {
  http::Route route;
  Handler handler;
  HeadCheck check_head = nullptr;
};
[[nodiscard]] std::span<const Endpoint> endpoints();
[[nodiscard]] std::span<const http::Route> routes();  // of the same order

#define KG_API_DECLARE(NAME, ...) Result<http::Answer> NAME(Context& context, const http::Request& request);
KG_WIRE_ENDPOINTS(KG_API_DECLARE)
#undef KG_API_DECLARE

// Of both endpoints that take webhooks.
std::optional<http::Response> check_webhook_head(Context& context, const http::Request& request);

// Of a login: its body is short, so that nobody without a token makes the server read a long one.
std::optional<http::Response> check_login_head(Context& context, const http::Request& request);

// Of the dashboard's pages (wire::kPages).
Result<http::Answer> get_dashboard(Context& context, const http::Request& request);

}  // namespace kernelgate::api

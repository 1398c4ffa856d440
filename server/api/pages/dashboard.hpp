// SPDX-License-Identifier: Apache-2.0
#pragma once

// The dashboard's start page, which is the answer to every path of a page of it.

#include <optional>

#include "server/api/context.hpp"

namespace kernelgate::api {

// Nothing where the server carries no dashboard, or the request asks for the page without scripts (?plain).
[[nodiscard]] std::optional<http::Response> dashboard_page(const Context& context, const http::Request& request);

}  // namespace kernelgate::api

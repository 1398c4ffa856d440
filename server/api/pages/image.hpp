// SPDX-License-Identifier: Apache-2.0
#pragma once

// An SVG for other sites' pages: they may show it, it may be kept for a while, and a private one stays out of shared
// caches.

#include <chrono>
#include <string>

#include "server/api/context.hpp"

namespace kernelgate::api {

// 304 where the asker has it. `policy`: its Content-Security-Policy; empty, the server's own.
[[nodiscard]] http::Response image(const Context& context, const http::Request& request, std::string svg,
                                   std::chrono::seconds keep, std::string policy = {});

}  // namespace kernelgate::api

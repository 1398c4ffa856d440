// SPDX-License-Identifier: Apache-2.0
#pragma once

// Patience with a server that is away, and its refusals as Errors. Private to runner/client.

#include <chrono>
#include <stop_token>

#include "client/client.hpp"
#include "platform/http/http_caller.hpp"

namespace kernelgate {

// A response of status 200 to 299, or the Error that the last attempt gave.
[[nodiscard]] Result<HttpResponse> call_patiently(HttpCaller& caller, const HttpRequest& request,
                                                  const ClientOptions& options, Repeat repeat);

// Sleeps; false when a stop was requested meanwhile.
[[nodiscard]] bool pause(std::chrono::milliseconds length, const std::stop_token& stop);

// The error that a status outside 200 to 299 means: a problem document's own words where there is one.
[[nodiscard]] Error refusal(const HttpResponse& response, const std::string& url);

}  // namespace kernelgate

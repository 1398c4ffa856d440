// SPDX-License-Identifier: Apache-2.0
#pragma once

// One HTTP exchange at a time through libcurl, with connections kept for the next. Knows no API and never
// retries. Thread-safe; handles are pooled. Follows no redirect and speaks http and https only.

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/units/result.hpp"

namespace kernelgate {

struct HttpRequest {
  std::string method = "GET";
  std::string url;
  std::string body;
  std::string content_type = "application/json";
  std::string token;  // empty: no Authorization header
  std::string accept = "application/json";
  std::vector<std::pair<std::string, std::string>> headers{};  // more of them: name, value
  std::chrono::milliseconds timeout{30000};
};

struct HttpResponse {
  int status = 0;
  std::string body;
  std::optional<std::chrono::seconds> retry_after;
  std::vector<std::pair<std::string, std::string>> headers{};  // names in lower case

  [[nodiscard]] std::string_view header(std::string_view lower_case_name) const;  // empty: absent
};

class HttpCaller {
 public:
  HttpCaller();
  ~HttpCaller();
  HttpCaller(HttpCaller&&) noexcept;
  HttpCaller& operator=(HttpCaller&&) noexcept;

  // Any status is a response. Errors: unavailable (no connection, or `stop` was requested), io (the connection broke),
  // timed_out, too_large, invalid (the URL).
  [[nodiscard]] Result<HttpResponse> call(const HttpRequest& request, const std::stop_token& stop);

 private:
  struct Pool;
  std::unique_ptr<Pool> pool_;
};

// Text as it may stand in one component of a path or in a query.
[[nodiscard]] std::string url_escape(std::string_view text);

}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a handler sees of HTTP: plain structs. A handler runs on a pool thread, may block on the database for a moment,
// and may throw (the session turns that into a 500 with an incident id). It never waits: it answers Park instead.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/units/result.hpp"
#include "core/units/role.hpp"
#include "core/units/strong.hpp"
#include "core/wire/route.hpp"

namespace kernelgate::http {

using wire::Method;

using Pairs = std::vector<std::pair<std::string, std::string>>;

// Who asks: found by App::identify from the Authorization header or the cookie of a login.
struct Identity {
  std::optional<Role> role;  // none: anonymous
  TokenId token{};
  std::string name{};
  bool login = false;  // by cookie
  // A token or a login was shown; a reader of what is public has a role without either.
  [[nodiscard]] bool is_known() const { return token != TokenId{}; }
};

struct Request {
  Method method = Method::get;
  std::string path;  // as sent, without the query
  Pairs parameters;  // of the route's pattern, percent-decoded
  Pairs query;       // percent-decoded, in order
  Pairs headers;     // names in lower case
  std::string body;
  std::string peer;
  Identity identity;
  bool asked_again = false;  // identified before, for the same stream: that is no use of the token or login
  bool last_chance = false;  // a parked request whose time is over, or the server stops: Park is no longer an answer

  // Each answers the first value of that name; `parameter` is empty where the pattern has none such.
  [[nodiscard]] std::string_view parameter(std::string_view name) const;
  [[nodiscard]] std::optional<std::string_view> query_value(std::string_view name) const;
  [[nodiscard]] std::string_view header(std::string_view lower_case_name) const;
  // If-None-Match names this tag, or any; strong and weak ones are alike here (RFC 9110, section 13.1.2).
  [[nodiscard]] bool knows(std::string_view etag) const;
  // A whole number within [low, high]; absent: `otherwise`. The error names the parameter.
  [[nodiscard]] Result<std::int64_t> query_number(std::string_view name, std::int64_t otherwise, std::int64_t low,
                                                  std::int64_t high) const;
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  Pairs headers;
};

// Nothing to say yet: call the handler again when `topic` changes (Server::notify) or `limit` after the request came.
struct Park {
  std::string topic;
  std::chrono::milliseconds limit{};
};

// Turn the connection into a stream of the server's events; `topic` empty means all.
struct EventStream {
  std::string topic;
};

using Answer = std::variant<Response, Park, EventStream>;

struct Event {
  std::string topic;
  std::string name;  // of the event; no line breaks
  std::string data;  // one line of JSON
};

}  // namespace kernelgate::http

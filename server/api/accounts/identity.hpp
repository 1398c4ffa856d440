// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who asks: "Authorization: Bearer kg_…", or the cookie of a login. A browser may send the token as the password of
// Basic; it may then only read, because browsers add such credentials to requests made by other sites. A request with a
// login's cookie that changes state must prove that our own page made it. A token of role badge may stand in the query
// of a badge. Thread-safe.

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "server/api/context.hpp"

namespace kernelgate::api {

class Identifier {
 public:
  // unauthorized: credentials that are malformed or unknown. forbidden: a login's request that another site may have
  // made. No credentials, or a login that has ended: an anonymous identity.
  [[nodiscard]] Result<http::Identity> operator()(Context& context, const http::Request& request);

 private:
  [[nodiscard]] Result<http::Identity> by_token(Context& context, std::string_view text, bool basic);
  [[nodiscard]] bool due(TokenId token, Instant now);
  std::mutex mutex_;
  std::map<TokenId, Instant> touched_;  // when the store last heard of a token's use
};

struct Credentials {
  std::string token;
  bool basic = false;
};
// Nothing: neither Bearer nor Basic, or not base64.
[[nodiscard]] std::optional<Credentials> parse_authorization(std::string_view header);

}  // namespace kernelgate::api

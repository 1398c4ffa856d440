// SPDX-License-Identifier: Apache-2.0
#pragma once

// What guards requests that a browser makes with a login's cookie: other sites can make it send the cookie, but can
// neither read the CSRF token nor forge Origin. Requests with a token in Authorization need none of this. Pure.

#include <optional>
#include <string>
#include <string_view>

#include "server/http/message.hpp"

namespace kernelgate::api {

// How people reach the server, as paths are added to it: without slashes at its end. Empty stays empty: not known.
[[nodiscard]] Result<std::string> clean_public_url(std::string url);

// Over TLS, which the public URL tells, the name keeps the cookie to this host and to TLS.
[[nodiscard]] std::string_view cookie_name(std::string_view public_url);
// The secret of the login's cookie; empty: none came.
[[nodiscard]] std::string_view login_secret(const http::Request& request, std::string_view public_url);

// Set-Cookie values.
[[nodiscard]] std::string login_cookie(std::string_view public_url, std::string_view secret);
[[nodiscard]] std::string no_login_cookie(std::string_view public_url);

// Derived from the secret, so it is stored nowhere and dies with the login.
[[nodiscard]] std::string csrf_token(std::string_view secret);

// Origin is this server: the host that was asked, or that of the public URL. Nothing: no Origin came.
[[nodiscard]] std::optional<bool> from_own_pages(const http::Request& request, std::string_view public_url);

// forbidden: a change of state that lacks our Origin or the login's CSRF token.
[[nodiscard]] Status check_own_pages(const http::Request& request, std::string_view public_url,
                                     std::string_view secret);

}  // namespace kernelgate::api

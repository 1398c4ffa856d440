// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one place where an Error becomes HTTP: an RFC 9457 problem document with the members `code`, `where` and `fix`.
// `fix` is never empty: an error without one gets what usually fixes its status.

#include <string>
#include <string_view>

#include "server/http/message.hpp"

namespace kernelgate::http {

[[nodiscard]] int status_of(Errc code);

[[nodiscard]] Response problem(const Error& error);

// For refusals that have a status of their own (405, 408, 431, 500).
[[nodiscard]] Response problem(int status, std::string_view code, const Error& error);

}  // namespace kernelgate::http

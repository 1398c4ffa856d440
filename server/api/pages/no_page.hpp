// SPDX-License-Identifier: Apache-2.0
#pragma once

// The answer to a person whose link leads nowhere: what is wrong with it, and what to do. It needs no dashboard and no
// script. Pure.

#include "core/units/result.hpp"
#include "server/http/message.hpp"

namespace kernelgate::api {

// The problem document's status and headers with a page as the body; foreign text is escaped.
[[nodiscard]] http::Response no_page(const Error& error);

}  // namespace kernelgate::api

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The pages that are printed from the table of endpoints and the schemas of the messages. tools/generate writes them;
// a test fails where a page differs from what is printed.

#include <string>
#include <string_view>

namespace kernelgate::wire {

// docs/openapi.yaml. What stands before its line "From here on …" is kept by hand and is taken over from `present`.
[[nodiscard]] std::string openapi_page(std::string_view present);

// dashboards/src/lib/wire.ts: a type of each message and of each enum in one.
[[nodiscard]] std::string typescript_page();

// docs/API.md: endpoints and messages for people.
[[nodiscard]] std::string api_page();

}  // namespace kernelgate::wire

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads the body of a GitHub webhook. Pure.

#include <string_view>

#include "core/units/result.hpp"
#include "service/webhooks/event.hpp"

namespace kernelgate::webhooks {

// invalid: not JSON, or a member is missing that the event must have; `where` is its JSON pointer.
[[nodiscard]] Result<Event> parse_event(std::string_view name, std::string_view body);

}  // namespace kernelgate::webhooks

// SPDX-License-Identifier: Apache-2.0
#pragma once

// How an endpoint is asked, and who may.

#include <string_view>

namespace kernelgate::wire {

enum class Method { get, head, post, put, patch, delete_, other };
[[nodiscard]] std::string_view to_string(Method method);  // GET

enum class Access { open, badge, read, trigger, runner, admin };
[[nodiscard]] std::string_view to_string(Access access);

}  // namespace kernelgate::wire

// SPDX-License-Identifier: Apache-2.0
#pragma once

// How an endpoint is asked, and who may.

#include <string_view>

namespace kernelgate::wire {

enum class Method { get, head, post, put, patch, delete_, other };
[[nodiscard]] std::string_view to_string(Method method);  // GET

// page: everybody gets the application; what it shows is asked of the API, and a page with data in it asks for read.
enum class Access { open, page, badge, read, trigger, runner, admin };
[[nodiscard]] std::string_view to_string(Access access);

}  // namespace kernelgate::wire

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the parameters repository, suite, benchmark, branch, epoch and limit ask for.

#include "core/wire/history.hpp"
#include "server/api/context.hpp"

namespace kernelgate::api {

[[nodiscard]] Result<wire::BenchmarkHistory> history_asked(Context& context, const http::Request& request,
                                                           int points_max);

}  // namespace kernelgate::api

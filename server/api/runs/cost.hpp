// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a run cost, from what is stored of it: its seconds, its processes and the price that they carry.

#include "core/decision/evidence/cost.hpp"
#include "db/runs/runs.hpp"

namespace kernelgate::api {

// A run that has another's verdict cost nothing itself.
[[nodiscard]] RunCost cost_of(db::Connection& connection, const db::Run& run);

}  // namespace kernelgate::api

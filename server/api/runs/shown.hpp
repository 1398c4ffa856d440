// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the page of a run shows first, decided once: its sentence, its verdicts in reading order, the policy's band.

#include <span>
#include <string_view>
#include <vector>

#include "core/wire/messages.hpp"

namespace kernelgate::api {

// Of those that occur, in reading order.
[[nodiscard]] std::vector<wire::VerdictCount> count_verdicts(std::span<const Comparison> comparisons);

// Fills headline, verdicts and band of a whole run; `policy` is its canonical text.
void add_shown(wire::Run& run, std::string_view policy);

}  // namespace kernelgate::api

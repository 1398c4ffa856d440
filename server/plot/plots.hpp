// SPDX-License-Identifier: Apache-2.0
#pragma once

// The plots of the dashboard as pictures: a run's benchmarks as a forest plot, a benchmark's history. Pure.

#include <string>

#include "core/wire/history.hpp"
#include "core/wire/messages.hpp"
#include "server/plot/svg.hpp"

namespace kernelgate::plot {

inline constexpr std::size_t kForestRowsShown = 40;  // what moved comes first; a comment is no place for 500 rows

[[nodiscard]] std::string forest(const wire::Run& run, Theme theme);
[[nodiscard]] std::string history(const wire::BenchmarkHistory& history, Theme theme);

}  // namespace kernelgate::plot

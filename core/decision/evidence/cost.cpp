// SPDX-License-Identifier: Apache-2.0
#include "core/decision/evidence/cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace kernelgate {
namespace {

struct SuiteSeconds {
  double used = 0;
  double first_base = 0, first_head = 0;  // of pair 0 with all benchmarks open; a redo replaces it
};

}  // namespace

std::optional<double> RunCost::money(double seconds) const {
  if (!price_per_hour) return std::nullopt;
  return seconds / 3600 * *price_per_hour;
}

double seconds_saved(std::span<const Process> processes, int max_pairs, double gpu_seconds) {
  std::map<std::string, SuiteSeconds> suites;
  for (const auto& process : processes) {
    SuiteSeconds& suite = suites[process.suite];
    suite.used += process.gpu_s;
    if (process.round != 0 || process.pair != 0 || process.end != ProcessEnd::ok) continue;
    (process.side == Side::base ? suite.first_base : suite.first_head) = process.gpu_s;
  }
  double used = 0, budget = 0;
  for (const auto& [name, suite] : suites) {
    used += suite.used;
    const bool paired = suite.first_base > 0 && suite.first_head > 0;
    budget += paired ? std::max(suite.used, max_pairs * (suite.first_base + suite.first_head)) : suite.used;
  }
  return std::max(0.0, std::min(budget, gpu_seconds) - used);
}

std::string describe(const RunCost& cost) {
  std::string out = fmt::format("{:.1f} s used of {:.1f} s held", cost.used_s, cost.held_s);
  if (cost.saved_s >= 0.05) out += fmt::format(", {:.1f} s saved by stopping early", cost.saved_s);
  if (const auto money = cost.money(cost.held_s))
    out += fmt::format("; {:.4f} at {:.2f} an hour", *money, *cost.price_per_hour);
  return out;
}

}  // namespace kernelgate

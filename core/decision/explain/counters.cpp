// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace kernelgate {
namespace {

constexpr std::size_t kShown = 10;
constexpr double kMovedFrom = 0.05;

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

struct Known {
  std::string_view metric, words;
  CounterKind kind;
};
constexpr std::array kKnown = {
    Known{"gpu__time_duration.sum", "duration", CounterKind::nanoseconds},
    Known{"sm__throughput.avg.pct_of_peak_sustained_elapsed", "SM utilisation", CounterKind::percent},
    Known{"dram__throughput.avg.pct_of_peak_sustained_elapsed", "DRAM utilisation", CounterKind::percent},
    Known{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "DRAM utilisation", CounterKind::percent},
    Known{"dram__bytes.sum", "DRAM traffic", CounterKind::bytes},
    Known{"lts__t_sector_hit_rate.pct", "L2 hit rate", CounterKind::percent},
    Known{"l1tex__t_sector_hit_rate.pct", "L1 hit rate", CounterKind::percent},
    Known{"sm__warps_active.avg.pct_of_peak_sustained_active", "occupancy", CounterKind::percent},
    Known{"sm__maximum_warps_per_active_cycle_pct", "occupancy limit", CounterKind::percent},
    Known{"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", "tensor pipe", CounterKind::percent},
    Known{"sm__pipe_tma_cycles_active.avg.pct_of_peak_sustained_elapsed", "TMA pipe", CounterKind::percent},
    Known{"sm__inst_executed_pipe_tensor.sum", "tensor instructions", CounterKind::amount},
    Known{"l1tex__data_bank_conflicts_pipe_lsu.sum", "bank conflicts", CounterKind::amount},
    Known{"smsp__inst_executed.sum", "instructions", CounterKind::amount},
    Known{"launch__registers_per_thread", "registers", CounterKind::amount},
    Known{"launch__waves_per_multiprocessor", "waves", CounterKind::amount},
};

// "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio" is "stall long_scoreboard".
std::optional<CounterName> stall_of(std::string_view metric) {
  constexpr std::string_view kBegin = "smsp__average_warps_issue_stalled_", kEnd = "_per_issue_active.ratio";
  if (metric.substr(0, kBegin.size()) != kBegin || !ends_with(metric, kEnd)) return std::nullopt;
  metric.remove_prefix(kBegin.size());
  metric.remove_suffix(kEnd.size());
  if (ends_with(metric, "_not_issued")) return std::nullopt;
  return CounterName{"stall " + std::string(metric), CounterKind::per_issue};
}

struct Unit {
  double size;
  std::string_view text;
};

std::string scaled(double value, const std::array<Unit, 4>& units) {
  for (const Unit& unit : units)
    if (std::abs(value) >= unit.size) return fmt::format("{:.4g} {}", value / unit.size, unit.text);
  return fmt::format("{:.4g} {}", value, units.back().text);
}

std::string shown(double value, CounterKind kind) {
  constexpr std::array<Unit, 4> kTimes{{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}};
  constexpr std::array<Unit, 4> kBytes{{{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}}};
  switch (kind) {
    case CounterKind::percent: return fmt::format("{:.4g} %", value);
    case CounterKind::nanoseconds: return scaled(value, kTimes);
    case CounterKind::bytes: return scaled(value, kBytes);
    case CounterKind::per_issue:
    case CounterKind::amount: break;
  }
  return fmt::format("{:.4g}", value);
}

// Near 0 a counter may double and mean nothing.
double least(CounterKind kind) {
  switch (kind) {
    case CounterKind::percent: return 20;
    case CounterKind::per_issue:
    case CounterKind::amount:
    case CounterKind::nanoseconds:
    case CounterKind::bytes: return 1;
  }
  return 1;
}

double moved(double base, double head, CounterKind kind) {
  return std::abs(head - base) / std::max({std::abs(base), std::abs(head), least(kind)});
}

const KernelProfile* profile_of(const SuiteEvidence& suite, const std::string& benchmark, Side side) {
  for (const KernelProfile& profile : suite.profiles)
    if (profile.benchmark == benchmark && profile.side == side) return &profile;
  return nullptr;
}

}  // namespace

std::optional<CounterName> counter_name(std::string_view metric) {
  for (const Known& known : kKnown)
    if (metric == known.metric) return CounterName{std::string(known.words), known.kind};
  if (auto stall = stall_of(metric)) return stall;
  const bool percent = ends_with(metric, ".avg.pct_of_peak_sustained_active");
  if (percent && metric.find("pipe_tensor") != metric.npos)
    return CounterName{"tensor pipe (" + std::string(metric.substr(0, metric.find('.'))) + ")", CounterKind::percent};
  if (metric.find("_tma") != metric.npos && ends_with(metric, ".sum"))
    return CounterName{"TMA (" + std::string(metric.substr(0, metric.find('.'))) + ")", CounterKind::amount};
  return std::nullopt;
}

std::vector<std::string> counter_changes(const KernelProfile& base, const KernelProfile& head) {
  std::vector<std::pair<double, std::string>> found;
  for (const auto& [metric, before] : base.counters) {
    const auto other = head.counters.find(metric);
    const auto name = counter_name(metric);
    if (!name || other == head.counters.end()) continue;
    const double by = moved(before, other->second, name->kind);
    if (by >= kMovedFrom)
      found.emplace_back(
          by, fmt::format("{} {} -> {}", name->words, shown(before, name->kind), shown(other->second, name->kind)));
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> out;
  for (auto& [by, text] : found)
    if (out.size() < kShown && std::find(out.begin(), out.end(), text) == out.end()) out.push_back(std::move(text));
  return out;
}

void add_counter_changes(const SuiteEvidence& suite, std::vector<Comparison>& comparisons) {
  for (Comparison& comparison : comparisons) {
    const KernelProfile* base = profile_of(suite, comparison.benchmark, Side::base);
    const KernelProfile* head = profile_of(suite, comparison.benchmark, Side::head);
    if (comparison.verdict != Verdict::regressed || base == nullptr || head == nullptr) continue;
    comparison.counter_changes = counter_changes(*base, *head);
  }
}

}  // namespace kernelgate

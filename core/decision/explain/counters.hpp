// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which of the profiler's counters moved most between base and head. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/evidence.hpp"

namespace kernelgate {

// A counter that says something to a reader: its name in words. Nothing for the hundreds of others.
enum class CounterKind { percent, per_issue, amount, nanoseconds, bytes };
struct CounterName {
  std::string words;  // "L2 hit rate"
  CounterKind kind = CounterKind::amount;
};
[[nodiscard]] std::optional<CounterName> counter_name(std::string_view metric);

// One line for each counter that moved, the one that moved most first: "L2 hit rate 91.2 % -> 40.1 %". At most ten.
[[nodiscard]] std::vector<std::string> counter_changes(const KernelProfile& base, const KernelProfile& head);

// Fills counter_changes of what regressed and was profiled on both sides.
void add_counter_changes(const SuiteEvidence& suite, std::vector<Comparison>& comparisons);

}  // namespace kernelgate

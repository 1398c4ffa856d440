// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether a difference comes from the choice of a configuration or from the kernel. Explains a verdict, never changes
// one. Pure.

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/evidence.hpp"

namespace kernelgate {

// What most of a side's processes chose for each benchmark; of as many the first.
class Choices {
 public:
  explicit Choices(std::span<const Process> processes);
  [[nodiscard]] std::string of(std::string_view benchmark, Side side) const;  // empty: they state none

 private:
  struct Entry {
    std::map<std::string, int> counts;
    std::string most;
  };
  std::map<std::string, Entry, std::less<>> sides_[2];
};

// Those that moved, or may have, while the sides chose differently: largest shift first. Configurations filled in.
[[nodiscard]] std::vector<Comparison> moved_with_choice(std::vector<Comparison> comparisons);

// Fills the configurations of what was timed, the pinned results that belong to it, and the sentence about both.
void add_attribution(const SuiteEvidence& suite, std::vector<Comparison>& comparisons);

}  // namespace kernelgate

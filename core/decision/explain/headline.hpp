// SPDX-License-Identifier: Apache-2.0
#pragma once

// A run in one sentence, for the head of its page: "3 of 34 benchmarks got slower; most of all gemm/64 by +6.20 %
// (+5.90 % to +6.50 %)." Pure; decides nothing.

#include <optional>
#include <span>
#include <string>

#include "core/decision/evidence/comparison.hpp"

namespace kernelgate {

struct HeadlineFacts {
  RunState state = RunState::queued;
  std::optional<Conclusion> conclusion{};
  std::string reason{}, summary{}, progress{};  // as the run has them
};

[[nodiscard]] std::string headline(const HeadlineFacts& facts, std::span<const Comparison> comparisons);

}  // namespace kernelgate

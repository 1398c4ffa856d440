// SPDX-License-Identifier: Apache-2.0
#pragma once

// The decision: the same pure code tells the runner when to stop and the server what the verdict is.
// docs/DECISION_RULE.md explains each step; kRuleVersion changes whenever a verdict could.

#include <span>
#include <string>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/evidence.hpp"
#include "core/decision/evidence/policy.hpp"

namespace kernelgate {

inline constexpr int kRuleVersion = 3;

// Judges a whole run. Deterministic: the same evidence, policy and variances give the same answer.
[[nodiscard]] RunDecision decide_run(const RunEvidence& evidence, const Policy& policy,
                                     std::span<const StoredVariance> stored);

// Judges one suite's benchmarks that were or should be timed, and those that failed or are one-sided.
[[nodiscard]] std::vector<Comparison> decide_suite(const SuiteEvidence& suite, const Policy& policy,
                                                   std::span<const StoredVariance> stored);

// What the runner should measure next in a suite. `done` when nothing is open, or the processes of this suite have used
// policy.gpu_seconds. Ask again after every pair, with all processes taken so far. Against a stored baseline head comes
// first, alone (round kScreenRound); only what that does not clear goes on to pairs. Of these round 0 ends first;
// benchmarks that it leaves suspected are then measured once more from pair 0 as round 1. A pair that is redone keeps
// its number. Where the device's clock judges too its pairs come first (round kDeviceRound): each benchmark in a
// process of its own, so that every kernel is that benchmark's.
struct NextMeasurement {
  bool done = true;
  int round = 0;
  int pair = 0;                         // 0-based index of the pair to take, or of head's process
  bool head_alone = false;              // no base process goes with it
  std::vector<std::string> benchmarks;  // still open, in the suite's order
};
[[nodiscard]] NextMeasurement next_measurement(const SuiteEvidence& suite, const Policy& policy,
                                               std::span<const StoredVariance> stored);

// Which side starts pair `pair`: drawn from the seed for each pair.
[[nodiscard]] Side first_side(std::uint64_t seed, const std::string& suite, int round, int pair);

}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one sentence beside a verdict: what was measured, and why it is not another verdict.

#include <string>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/policy.hpp"

namespace kernelgate {

struct Stop {
  int given = 0;          // complete pairs there are; more than the verdict used where it came early
  bool finished = false;  // false: measuring stopped before the rule did
  bool recorded = false;  // from files: no further pair can be taken
  std::string sign{};     // what beyond plain noise kept it open; empty: nothing that shows
  double calibrated = 0;  // least shift that calibration found to be detectable; 0: never calibrated
};

[[nodiscard]] std::string reason_of(const Comparison& comparison, const Policy& policy, const Stop& stop);

// Whether a shift of the catch limit cannot be distinguished from none, by this comparison's own pairs or by
// calibration. Then nothing is proven to lie within it.
[[nodiscard]] bool is_undetectable(const Comparison& comparison, const Policy& policy, double calibrated);

// What else is known of it: "83 % of the fp16 roof; device code: gemm: registers 64 -> 80; counters: …", or empty.
[[nodiscard]] std::string evidence_text(const Comparison& comparison);

// "+4.1 %" of a ratio of 1.041.
[[nodiscard]] std::string percent(double ratio);

}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The second clock in a comparison: judges a benchmark's device times and brings both clocks' verdicts together
// (docs/DECISION_RULE.md, "Two clocks"). Private to core/decision.

#include <string>

#include "core/decision/suite_view.hpp"

namespace kernelgate {

// Fills `device` and, where the device's clock says more than the host's, verdict, severity, clock and reason.
void add_device_clock(SuiteView& view, Comparison& out);

}  // namespace kernelgate

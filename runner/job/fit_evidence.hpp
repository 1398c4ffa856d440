// SPDX-License-Identifier: Apache-2.0
#pragma once

// Makes the evidence of a run's end short enough to be uploaded, whatever its programs printed: a run whose end is
// refused for its size would be measured again and again, and its author would have chosen that nobody is to blame.
// Processes travel alone and do not count. Pure.

#include "core/decision/evidence/evidence.hpp"
#include "core/units/limits.hpp"

namespace kernelgate {

// What explains goes first, with a notice: device code and counters, then cases that passed with no larger error than
// base's. If that does not do, the side that says most of itself has failed: head's suite is broken, base's is
// infrastructure.
void fit_evidence(RunEvidence& evidence, Bytes most = limits::kEvidenceMax);

}  // namespace kernelgate

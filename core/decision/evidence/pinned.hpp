// SPDX-License-Identifier: Apache-2.0
#pragma once

// Base against head once more, both with the configuration that one of them had chosen: tells a slower choice from a
// slower kernel. Pure data; decides nothing.

#include <optional>
#include <string>

#include "core/decision/evidence/verdict.hpp"

namespace kernelgate {

struct PinnedResult {
  std::string benchmark;
  Side pinned = Side::head;   // the side that had chosen otherwise
  std::string configuration;  // that both were given
  int pairs = 0;
  std::optional<double> ratio{}, ratio_low{}, ratio_high{};  // head over base, both with it
  Verdict verdict = Verdict::undecided;                      // by the comparison's own band
  std::string failure{};                                     // why there are no figures; empty: there are
};

}  // namespace kernelgate

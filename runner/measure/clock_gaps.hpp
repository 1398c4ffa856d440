// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether one side's processes kept meeting a lower clock of the GPU. Such a gap is recorded and said, never redone:
// it may be an effect of the code. Pure. Private to runner/measure.

#include <optional>
#include <string>
#include <vector>

namespace kernelgate {

class ClockGaps {
 public:
  // The clocks of one pair's processes in MHz; pairs of which one is not known do not count.
  void add(const std::optional<double>& base, const std::optional<double>& head);
  // "clock-coupled: …" where three or more pairs have a gap on the same side, else empty.
  [[nodiscard]] std::string notice() const;

 private:
  std::vector<double> gaps_;  // head over base, less one
};

}  // namespace kernelgate

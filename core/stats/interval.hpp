// SPDX-License-Identifier: Apache-2.0
#pragma once

// An estimate with its confidence limits.

namespace kernelgate::stats {

struct Interval {
  double estimate = 0;
  double low = 0;
  double high = 0;
};

}  // namespace kernelgate::stats

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Two samples counted in the same equal bins, as a picture shows them. Pure.

#include <optional>
#include <span>
#include <vector>

namespace kernelgate::stats {

struct Histogram {
  double low = 0, high = 0;  // ends of the axis
  bool has_above = false;    // some values lie above `high`, in the last bin
  bool is_log = false;       // equal bins on a logarithmic axis
  std::vector<int> base, head;

  // Where a value lies on the axis: 0 at `low`, 1 at `high`.
  [[nodiscard]] double place_of(double value) const;
};

// The top 1 % goes into the last bin, so that a single spike does not compress the rest. Nothing for fewer than four
// values in all.
[[nodiscard]] std::optional<Histogram> histogram_of(std::span<const double> base, std::span<const double> head,
                                                    int bins = 40);

}  // namespace kernelgate::stats

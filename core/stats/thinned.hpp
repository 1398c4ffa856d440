// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is left of a sample whose values are no longer kept.

#include <span>
#include <vector>

namespace kernelgate::stats {

// Least, quartiles, largest; of an even number both middle ones, so that their median is what it was. Five or six
// values at most; as few or fewer come back as they are. Each finite.
[[nodiscard]] std::vector<double> thinned(std::span<const double> samples);

}  // namespace kernelgate::stats

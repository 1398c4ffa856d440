// SPDX-License-Identifier: Apache-2.0
#pragma once

// The peers' decision rules, written anew from what their documentation and sources state. For comparison only.

#include "core/simulation/rules.hpp"

namespace kernelgate::simulation {

[[nodiscard]] Outcome gbench_stored(const Setting& setting, double effect, Random& random);
[[nodiscard]] Outcome gbench_back_to_back(const Setting& setting, double effect, Random& random);
[[nodiscard]] Outcome nvbench_compare(const Setting& setting, double effect, Random& random);
[[nodiscard]] Outcome benchstat_blocks(const Setting& setting, double effect, Random& random);
[[nodiscard]] Outcome benchstat_interleaved(const Setting& setting, double effect, Random& random);
[[nodiscard]] Outcome bencher_percentage(const Setting& setting, double effect, Random& random);
[[nodiscard]] Outcome bencher_t(const Setting& setting, double effect, Random& random);
[[nodiscard]] Outcome conbench_z(const Setting& setting, double effect, Random& random);

}  // namespace kernelgate::simulation

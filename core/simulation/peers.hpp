// SPDX-License-Identifier: Apache-2.0
#pragma once

// The peers' decision rules, written anew from what their documentation and sources state. For comparison only.

#include <span>

#include "core/simulation/rules.hpp"

namespace kernelgate::simulation {

// The rules themselves. Log times of one process a side; of many processes their mean log times (benchstat); or times
// of past runs and of the new one.
[[nodiscard]] Verdict gbench_rule(std::span<const double> base, std::span<const double> head);
[[nodiscard]] Verdict nvbench_rule(std::span<const double> base, std::span<const double> head);
[[nodiscard]] Verdict benchstat_rule(std::span<const double> old_means, std::span<const double> new_means);
[[nodiscard]] Verdict bencher_percentage_rule(std::span<const double> past, double now);
[[nodiscard]] Verdict bencher_t_rule(std::span<const double> past, double now);
[[nodiscard]] Verdict conbench_rule(std::span<const double> past, double now);

[[nodiscard]] double mean_of(std::span<const double> values);
[[nodiscard]] double mean_time(std::span<const double> log_times);

// The rules on simulated benchmarks, at each peer's own numbers of repetitions and runs.

[[nodiscard]] Outcome gbench_stored(const Setting& setting, double effect, Random& random);
[[nodiscard]] Outcome gbench_back_to_back(const Setting& setting, double effect, Random& random);
[[nodiscard]] Outcome nvbench_compare(const Setting& setting, double effect, Random& random);
[[nodiscard]] Outcome benchstat_blocks(const Setting& setting, double effect, Random& random);
[[nodiscard]] Outcome benchstat_interleaved(const Setting& setting, double effect, Random& random);
[[nodiscard]] Outcome bencher_percentage(const Setting& setting, double effect, Random& random);
[[nodiscard]] Outcome bencher_t(const Setting& setting, double effect, Random& random);
[[nodiscard]] Outcome conbench_z(const Setting& setting, double effect, Random& random);

}  // namespace kernelgate::simulation

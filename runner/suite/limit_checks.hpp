// SPDX-License-Identifier: Apache-2.0
#pragma once

// The limits that every reader holds a suite's result to. Pure.

#include <cstddef>
#include <string>

#include "core/units/result.hpp"

namespace kernelgate::suite {

// Errc::corrupt: no name; Errc::too_large: a longer one than limits.hpp allows.
[[nodiscard]] Status check_name(const std::string& name, const std::string& origin);

// Whether a suite of so many benchmarks may get one more.
[[nodiscard]] Status check_room(std::size_t benchmarks, const std::string& origin);

[[nodiscard]] Status check_samples(std::size_t samples, const std::string& benchmark, const std::string& origin);

// "is not a positive number", "of 1e+300 ns is over a day" …: what is wrong with the time of one iteration; empty:
// nothing.
[[nodiscard]] std::string wrong_time(double ns);

}  // namespace kernelgate::suite

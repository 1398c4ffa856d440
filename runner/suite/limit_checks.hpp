// SPDX-License-Identifier: Apache-2.0
#pragma once

// The limits that every reader holds a suite's result to. Pure.

#include <cstddef>
#include <string>
#include <string_view>

#include "core/units/result.hpp"

namespace kernelgate::suite {

// Errc::corrupt: no name; Errc::too_large: a longer one than limits.hpp allows.
[[nodiscard]] Status check_name(const std::string& name, const std::string& origin);

// Whether a suite of so many benchmarks may get one more.
[[nodiscard]] Status check_room(std::size_t benchmarks, const std::string& origin);

[[nodiscard]] Status check_samples(std::size_t samples, const std::string& benchmark, const std::string& origin);

// Before a document is read into memory: nests at most limits::kJsonDepthMax deep (corrupt) and has at most
// limits::kJsonValuesMax values (too_large).
[[nodiscard]] Status check_json(std::string_view text, const std::string& origin);

// What a suite says of a benchmark, cut to limits::kSaidTextMax.
[[nodiscard]] std::string short_text(std::string text);

// "is not a positive number", "of 1e+300 ns is over a day" …: what is wrong with the time of one iteration; empty:
// nothing.
[[nodiscard]] std::string wrong_time(double ns);

}  // namespace kernelgate::suite

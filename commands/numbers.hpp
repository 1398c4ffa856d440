// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks of numbers on the command line, for CLI11's check(): they look at the text before it is converted, so that a
// number of 300 digits and a word are told what is wanted.

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace kernelgate::cli {

// Empty: the text is a whole number from `low` to `high`; else what is wrong.
[[nodiscard]] std::function<std::string(const std::string&)> whole_number(
    std::int64_t low, std::int64_t high = std::numeric_limits<std::int64_t>::max());

// Of the devices of one machine; an hour of one costs at most a million.
[[nodiscard]] std::function<std::string(const std::string&)> price();

}  // namespace kernelgate::cli

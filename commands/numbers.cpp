// SPDX-License-Identifier: Apache-2.0
#include "commands/numbers.hpp"

#include <charconv>

namespace kernelgate::cli {
namespace {

constexpr std::size_t kShown = 24;  // characters of a text that is no number

std::string shown(const std::string& text) {
  return text.size() <= kShown ? "'" + text + "'"
                               : "'" + text.substr(0, kShown) + "…' (" + std::to_string(text.size()) + " characters)";
}

std::string wanted(std::int64_t low, std::int64_t high) {
  const std::string from = "a whole number from " + std::to_string(low);
  return high == std::numeric_limits<std::int64_t>::max() ? from + " on" : from + " to " + std::to_string(high);
}

}  // namespace

std::function<std::string(const std::string&)> whole_number(std::int64_t low, std::int64_t high) {
  return [low, high](const std::string& text) {
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && stop == end && value >= low && value <= high) return std::string();
    return shown(text) + " is not " + wanted(low, high);
  };
}

std::function<std::string(const std::string&)> price() {
  return [](const std::string& text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && stop == end && value >= 0 && value <= 1e6) return std::string();
    return shown(text) + " is not a price from 0 to 1000000";
  };
}

}  // namespace kernelgate::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to db/: how values that are no plain number or text stand in a column. Decoding throws
// DbError (corrupt).

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/store/connection.hpp"

namespace kernelgate::db {

// Little-endian doubles, bit for bit. What is packed lies where the samples lie.
[[nodiscard]] std::span<const std::byte> pack(std::span<const double> samples);
[[nodiscard]] std::vector<double> unpack(std::span<const std::byte> blob);

[[nodiscard]] std::string encode_strings(const std::vector<std::string>& strings);
[[nodiscard]] std::vector<std::string> decode_strings(std::string_view json);
[[nodiscard]] std::string encode_counters(const std::map<std::string, double>& counters);
[[nodiscard]] std::map<std::string, double> decode_counters(std::string_view json);

// NULL stands for not a number.
[[nodiscard]] double real_or_nan(const Statement& row, int column);

[[noreturn]] void throw_corrupt(std::string_view what);

// The value of a parse function, or corrupt.
template <class T>
[[nodiscard]] T known(std::optional<T> parsed, std::string_view text) {
  if (!parsed) throw_corrupt("unknown word '" + std::string(text) + "'");
  return *parsed;
}

}  // namespace kernelgate::db

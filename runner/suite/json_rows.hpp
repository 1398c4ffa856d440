// SPDX-License-Identifier: Apache-2.0
#pragma once

// Walks the "benchmarks" array of a Google Benchmark JSON text without building the document: a
// compare file may be 256 MB. Bare NaN and Infinity, which the library writes for user counters,
// are read as absent.

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "core/units/result.hpp"

namespace kernelgate::suite {

struct JsonRow {
  std::map<std::string, std::string> texts;
  std::map<std::string, double> numbers;
  std::map<std::string, bool> flags;
};

// Calls `take` for each row in order; stops at its first error. `prefix_allowed`: ignore what
// stands around the object.
[[nodiscard]] Status walk_rows(std::string_view json, bool prefix_allowed, const std::string& origin,
                               const std::function<Status(const JsonRow&)>& take);

}  // namespace kernelgate::suite

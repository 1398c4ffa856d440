// SPDX-License-Identifier: Apache-2.0
#pragma once

// Walks the "benchmarks" array of a Google Benchmark JSON text without building the document: a
// compare file may be 256 MB. Bare NaN and Infinity, which the library writes for user counters,
// are read as absent.

#include <boost/container/flat_map.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "core/units/result.hpp"

namespace kernelgate::suite {

// Flat maps, filled anew for each row: a file has many rows of a dozen members.
struct JsonRow {
  boost::container::flat_map<std::string, std::string> texts;
  boost::container::flat_map<std::string, double> numbers;
  boost::container::flat_map<std::string, bool> flags;
  void clear() {
    texts.clear();
    numbers.clear();
    flags.clear();
  }
};

// Calls `take` for each row in order; stops at its first error. `prefix_allowed`: ignore what
// stands around the object.
[[nodiscard]] Status walk_rows(std::string_view json, bool prefix_allowed, const std::string& origin,
                               const std::function<Status(const JsonRow&)>& take);

}  // namespace kernelgate::suite

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The lines of a check program: one JSON object per case. Pure. Lines that are no JSON object are the program's own
// business and passed over. Of more than limits::kCheckCasesMax cases the first are kept and the others counted; a long
// text is cut, a case whose name is longer than limits::kBenchmarkNameMax is unreadable.

#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/evidence.hpp"

namespace kernelgate {

struct CheckLines {
  std::vector<CheckCase> cases;  // suite and side are not set
  std::size_t count = 0;         // of all cases
  bool a_case_failed = false;    // kept or not
  int unreadable = 0;            // lines that begin an object but are not one, or have no name or no "passed"
  std::string first_unreadable;
};

[[nodiscard]] CheckLines read_check_lines(std::string_view text);

// "5f1c09ab square/naive wrong_value 0.0123457": the hash is over case, error class and error value to 6 digits, so
// the same failure in unrelated changes shows the same fingerprint.
[[nodiscard]] std::string fingerprint_of(std::string_view name, std::string_view error_class, double error_value);

}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#include "runner/check/check_lines.hpp"

#include <cmath>

#include "tests/fuzz/fuzzers.hpp"

namespace kernelgate::fuzz {

bool check_lines(std::string_view input) {
  const CheckLines lines = read_check_lines(input);
  for (const CheckCase& one : lines.cases) {
    require(!one.name.empty(), "a case has a name");
    if (one.passed) {
      require(std::isfinite(one.rel_err) && std::isfinite(one.max_abs_err),
              "an error that is no number passes nothing");
      require(one.fingerprint.empty(), "what passed has no fingerprint");
      continue;
    }
    require(!one.fingerprint.empty() && !one.error_class.empty() && !one.text.empty(), "a failure says what it is");
  }
  require((lines.unreadable == 0) == lines.first_unreadable.empty(), "an unreadable line is shown");
  require(lines.first_unreadable.size() <= 200, "what is shown of it is bounded");
  return !lines.cases.empty();
}

}  // namespace kernelgate::fuzz

// SPDX-License-Identifier: Apache-2.0
#include "core/log/log.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kernelgate {
namespace log_test {

TEST(Log, GoesToTheInstalledSinkAndNowhereWithoutOne) {
  std::vector<std::string> lines;
  log_info("dropped");
  set_log_sink([&](LogLevel level, std::string_view line) {
    lines.push_back((level == LogLevel::warn ? "warn " : "other ") + std::string(line));
  });
  log_warn("run 7: lease lost");
  log_debug("claimed");
  set_log_sink({});
  log_error("dropped too");
  EXPECT_EQ(lines, (std::vector<std::string>{"warn run 7: lease lost", "other claimed"}));
}

}  // namespace log_test
}  // namespace kernelgate

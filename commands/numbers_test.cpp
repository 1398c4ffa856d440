// SPDX-License-Identifier: Apache-2.0
#include "commands/numbers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "commands/commands.hpp"

namespace kernelgate::cli {
namespace numbers_test {

using testing::HasSubstr;

TEST(WholeNumber, SaysWhatIsWanted) {
  EXPECT_EQ(whole_number(1, 9)("9"), "");
  EXPECT_EQ(whole_number(1, 9)("10"), "'10' is not a whole number from 1 to 9");
  for (const char* text : {"", "abc", "1.5", "1e3", "0x1", " 1", "+1", "-1"})
    EXPECT_THAT(whole_number(0)(text), HasSubstr("is not a whole number from 0 on")) << text;
  EXPECT_EQ(whole_number(1)(std::string(300, '9')),
            "'" + std::string(24, '9') + "…' (300 characters) is not a whole number from 1 on");
}

// What a flag's own check refuses, before anything is looked up or computed.
TEST(Numbers, SillyOnesAreRefusedByEachCommand) {
  const std::string digits(300, '9');
  struct Case {
    std::vector<const char*> arguments;
    const char* says;
  };
  const Case cases[] = {
      {{"runs", "show", "abc"}, "'abc' is not a whole number from 1 on"},
      {{"runs", "show", digits.c_str()}, "(300 characters) is not a whole number"},
      {{"runs", "list", "--limit", "0"}, "from 1 to 500"},
      {{"history", "--benchmark", ".", "--epoch", "-3"}, "'-3' is not a whole number from 1 on"},
      {{"export", "--run", "0", "--output", "x"}, "from 1 on"},
      {{"baseline", "accept", "--run", "-1", "--benchmark", ".", "--reason", "r"}, "from 1 on"},
      {{"simulate", "--seed", "-1"}, "'-1' is not a whole number from 0 on"},
      {{"simulate", "--trials", "1e9"}, "from 1 to 1000000"},
      {{"simulate", "--catch", "2"}, "tolerate 0.01 and catch 2 are no band"},
      {{"simulate", "--stored-variance-factor", "inf"}, "a factor of inf"},
      {{"simulate", "--noise", "nan"}, "a noise scale of nan"},
      {{"simulate", "--series", "x", "--trials", "10"}, "--trials excludes --series"},
      {{"simulate", "--series", "x", "--catch", "2"}, "are no band"},
      {{"doctor", "--calibrate", "--pairs", digits.c_str()}, "from 2 to 64"},
      {{"doctor", "--calibrate", "--gpu-seconds", "0"}, "a budget of 0 seconds (measured seconds of each part"},
      {{"run", "--gpu", "-1"}, "'-1' is not a whole number from 0 to 255"},
      {{"sweep", "--gpu", "0x1"}, "from 0 to 255"},
      {{"run", "--price-per-hour", "nan"}, "'nan' is not a price from 0 to 1000000"},
      {{"characterize", "--price-per-hour", "-1"}, "'-1' is not a price"},
      {{"runner", "--price-per-hour", "1e308"}, "is not a price"},
      {{"compare", "--head", "x", "--drop-first", "-1"}, "from 0 to 100000"},
  };
  for (const Case& c : cases) {
    std::vector<const char*> arguments{"kernelgate"};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    testing::internal::CaptureStderr();
    EXPECT_EQ(run(static_cast<int>(arguments.size()), arguments.data()), 2) << c.says;
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr(c.says));
  }
}

}  // namespace numbers_test
}  // namespace kernelgate::cli

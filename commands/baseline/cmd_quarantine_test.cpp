// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/units/limits.hpp"
#include "tests/support/command_fixture.hpp"

namespace kernelgate::cli {
namespace cmd_quarantine_test {

using testing::HasSubstr;

class QuarantineCommand : public StoreCommand {
 protected:
  int add(const std::string& benchmark, const std::string& reason = "noisy") {
    return call({"quarantine", "add", "--suite", "s", "--benchmark", benchmark, "--reason", reason});
  }
  int release(const std::string& id) { return call({"quarantine", "release", "--id", id, "--reason", "calibrated"}); }
};

TEST_F(QuarantineCommand, SetsAsideShowsAndReleases) {
  (void)ended(1, Conclusion::passed, Verdict::unchanged);
  ASSERT_EQ(call({"quarantine", "list"}), 0) << err_;
  EXPECT_EQ(out_, "no benchmark is quarantined\n");
  ASSERT_EQ(add("b"), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("   1  s: b  every epoch  since "));
  EXPECT_THAT(out_, HasSubstr(": noisy"));
  ASSERT_EQ(call({"quarantine", "list", "--format", "json"}), 0);
  EXPECT_THAT(out_, HasSubstr(R"({"schema":1,)"));
  EXPECT_THAT(out_, HasSubstr(R"("reason":"noisy")"));
  ASSERT_EQ(release("1"), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("; released "));
  ASSERT_EQ(call({"quarantine", "list"}), 0);
  EXPECT_EQ(out_, "no benchmark is quarantined\n");
  ASSERT_EQ(call({"quarantine", "list", "--all"}), 0);
  EXPECT_THAT(out_, HasSubstr(": calibrated"));
}

TEST_F(QuarantineCommand, RefusalsSayWhatIsWrong) {
  (void)ended(1, Conclusion::passed, Verdict::unchanged);
  EXPECT_EQ(add("c"), 2);
  EXPECT_THAT(err_, HasSubstr("no benchmark 's: c' was measured"));
  EXPECT_EQ(add("b", ""), 2);
  EXPECT_EQ(add("b", std::string(limits::kReasonMax + 1, 'x')), 2);
  EXPECT_THAT(err_, HasSubstr("/reason"));
  ASSERT_EQ(add("b"), 0);
  EXPECT_EQ(add("b"), 2);
  EXPECT_THAT(err_, HasSubstr("quarantined already, by number 1"));
  EXPECT_EQ(release("7"), 2);
  EXPECT_THAT(err_, HasSubstr("no quarantine 7 in this repository"));
  ASSERT_EQ(release("1"), 0);
  EXPECT_EQ(release("1"), 2);
  EXPECT_THAT(err_, HasSubstr("was released before"));
  EXPECT_EQ(call({"quarantine", "list", "--repository", "other"}), 2);
  EXPECT_THAT(err_, HasSubstr("the store has no such repository"));
}

}  // namespace cmd_quarantine_test
}  // namespace kernelgate::cli

// SPDX-License-Identifier: Apache-2.0
#include "commands/demo/child.hpp"

#include <gmock/gmock.h>

#include <thread>

namespace kernelgate::demo {
namespace child_test {
namespace fs = std::filesystem;
using namespace std::chrono_literals;

class ChildTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/kernelgate-child-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  Result<Child> shell(const std::string& line) {
    return Child::start("shell", {"/bin/sh", "-c", line}, folder_ / "log");
  }
  template <class Condition>
  static bool soon(Condition condition) {
    for (int i = 0; i < 3000 && !condition(); ++i) std::this_thread::sleep_for(10ms);
    return condition();
  }
  fs::path folder_;
};

TEST_F(ChildTest, KeepsItsLastWords) {
  auto child = shell("echo cannot listen >&2; exit 4");
  ASSERT_TRUE(child);
  EXPECT_TRUE(soon([&] { return !child->running(); }));
  EXPECT_EQ(child->last_words(), "cannot listen\n");
}

TEST_F(ChildTest, StopsOnRequest) {
  auto child = shell("exec sleep 600");
  ASSERT_TRUE(child);
  EXPECT_TRUE(child->running());
  child->stop();
  EXPECT_FALSE(child->running());
}

TEST_F(ChildTest, IsKilledWhenItDoesNotListen) {
  auto child = shell("trap '' TERM; echo deaf; while :; do sleep 1; done");
  ASSERT_TRUE(child);
  ASSERT_TRUE(soon([&] { return child->last_words() == "deaf\n"; }));
  child->stop(50ms);
  EXPECT_FALSE(child->running());
}

TEST_F(ChildTest, AMissingProgramEndsAtOnce) {
  auto child = Child::start("none", {"/nonexistent/program"}, folder_ / "log");
  ASSERT_TRUE(child);
  EXPECT_TRUE(soon([&] { return !child->running(); }));
}

}  // namespace child_test
}  // namespace kernelgate::demo

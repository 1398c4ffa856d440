// SPDX-License-Identifier: Apache-2.0
// Where control groups can be made: as root, or under `systemd-run --user --scope -p Delegate=yes`. Elsewhere the
// reason is looked at; tools/under_cgroup2.sh runs all of it on any machine.
#include "platform/process/control_group.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>

#include "platform/process/process.hpp"

namespace kernelgate {
namespace control_group_test {

namespace fs = std::filesystem;

class ControlGroupTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!groups) {
      EXPECT_EQ(groups.error().code, Errc::unsupported) << to_string(groups.error());
    }
  }
  // Python in a group; a page is touched in every one that it takes.
  static ProcessResult python(const ControlGroup& group, const std::string& script) {
    auto result = run_process({.argv = {"python3", "-c", script},
                               .env = {"PATH=/usr/bin:/bin"},
                               .timeout = std::chrono::seconds(60),
                               .group = group.entry()});
    return result ? std::move(*result) : ProcessResult{};
  }
  std::size_t left() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(groups->folder()))
      count += entry.path().filename().string().rfind("kernelgate.program-", 0) == 0 ? 1U : 0U;
    return count;
  }
  Result<ControlGroups> groups = ControlGroups::open();
};

TEST_F(ControlGroupTest, MemoryOfAllDescendantsIsCountedTogether) {
  if (!groups) return;
  // Two that take 60 MiB each: neither is over the limit alone.
  const std::string script =
      "import os, time\npid = os.fork()\nheld = bytearray(60 << 20)\ntime.sleep(1)\n"
      "if pid: os.waitpid(pid, 0)";
  const auto small = groups->make({.memory = Bytes{100u << 20}});
  ASSERT_TRUE(small) << to_string(small.error());
  EXPECT_EQ(python(*small, script).signal, SIGKILL);
  EXPECT_GE(small->facts().limit_hits, 1U);
  EXPECT_GE(small->facts().killed, 2U) << "all of the group ends";
  EXPECT_GT(small->facts().peak.value, 90u << 20);
  const auto large = groups->make({.memory = Bytes{300u << 20}});
  ASSERT_TRUE(large);
  EXPECT_TRUE(python(*large, script).ok());
  EXPECT_EQ(large->facts().killed, 0U);
}

TEST_F(ControlGroupTest, ProcessesAreCounted) {
  if (!groups) return;
  const std::string script =
      "import os, signal\nmade = []\ntry:\n  while len(made) < 50: made.append(os.fork() or signal.pause())\n"
      "except OSError: pass\nprint(len(made))\nfor pid in made: os.kill(pid, 9)";
  const auto group = groups->make({.memory = Bytes{1u << 30}, .processes = 10});
  ASSERT_TRUE(group) << to_string(group.error());
  EXPECT_EQ(python(*group, script).out, "9\n");
}

TEST_F(ControlGroupTest, NoGroupIsLeft) {
  if (!groups) return;
  {
    const auto group = groups->make({.memory = Bytes{1u << 30}});
    ASSERT_TRUE(group);
    EXPECT_EQ(left(), 1U);
    (void)python(*group, "pass");
  }
  EXPECT_EQ(left(), 0U);
}

TEST(ControlGroups, AFolderThatIsNoGroupIsRefused) {
  const auto opened = ControlGroups::open(fs::temp_directory_path());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Errc::unsupported);
}

}  // namespace control_group_test
}  // namespace kernelgate

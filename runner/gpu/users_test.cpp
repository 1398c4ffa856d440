// SPDX-License-Identifier: Apache-2.0
#include "runner/gpu/users.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>

namespace kernelgate::gpu {
namespace users_test {

namespace fs = std::filesystem;

// 100 is us, 101 our child in a session of its own, 102 its child; 200 is somebody else's.
class Users : public testing::Test {
 protected:
  Users() {
    std::string pattern = (fs::temp_directory_path() / "kg_proc_XXXXXX").string();
    proc = mkdtemp(pattern.data());
    add(1, 0, "init");
    add(100, 1, "kernelgate");
    add(101, 100, "a (b) c");
    add(102, 101, "suite");
    add(200, 1, "python3");
  }
  ~Users() override { fs::remove_all(proc); }
  void add(int pid, int parent, const std::string& name) const {
    const fs::path folder = proc / std::to_string(pid);
    fs::create_directories(folder);
    std::ofstream(folder / "stat") << pid << " (" << name << ") S " << parent << " 1 1 0\n";
    std::ofstream(folder / "comm") << name << '\n';
  }
  [[nodiscard]] GpuUsers sort(const std::vector<unsigned>& pids, int started) const {
    return sort_users(pids, started, 100, proc);
  }
  fs::path proc;
};

TEST_F(Users, DescendantsAreOurs) {
  const auto users = sort({102}, 1);
  EXPECT_EQ(users.ours, 1);
  EXPECT_EQ(users.foreign, 0);
  EXPECT_TRUE(users.visible);
}

TEST_F(Users, OthersAreForeignAndNamed) {
  const auto users = sort({102, 200}, 1);
  EXPECT_EQ(users.ours, 1);
  EXPECT_EQ(users.foreign, 1);
  EXPECT_EQ(users.first_foreign, "python3 (process 200)");
}

TEST_F(Users, OfNumbersThatAreNotOursToSeeOnlyTheSurplusIsForeign) {
  EXPECT_EQ(sort({900001}, 1).foreign, 0);
  EXPECT_FALSE(sort({900001}, 1).visible);
  EXPECT_EQ(sort({900001, 900002}, 1).foreign, 1);
  EXPECT_EQ(sort({900001}, 0).foreign, 1);
  EXPECT_EQ(sort({102, 900001}, 1).foreign, 1);
  EXPECT_NE(sort({900001}, 0).first_foreign.find("1 more than we started"), std::string::npos);
}

TEST_F(Users, TheRealTreeKnowsThisProcess) {
  EXPECT_EQ(sort_users({static_cast<unsigned>(getpid())}, 1, getpid()).ours, 1);
  EXPECT_EQ(sort_users({static_cast<unsigned>(getpid())}, 1, getppid()).ours, 1);
  EXPECT_EQ(sort_users({static_cast<unsigned>(getppid())}, 1, getpid()).foreign, 1);
}

}  // namespace users_test
}  // namespace kernelgate::gpu

// SPDX-License-Identifier: Apache-2.0
#include "platform/process/logged_child.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

namespace kernelgate {
namespace logged_child_test {

namespace fs = std::filesystem;

class LoggedChildTest : public testing::Test {
 protected:
  LoggedChildTest() { fs::create_directories(folder); }
  ~LoggedChildTest() override { fs::remove_all(folder); }
  // What the log holds once the program has ended.
  std::string logged(const std::string& line, LoggedLife life) const {
    const auto pid = start_logged("shell", {"/bin/sh", "-c", line}, folder / "log", life);
    if (!pid) return to_string(pid.error());
    waitpid(*pid, nullptr, 0);
    std::ifstream file(folder / "log");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  const fs::path folder = fs::temp_directory_path() / ("kg_logged_" + std::to_string(getpid()));
};

TEST_F(LoggedChildTest, OneWithUsAddsToItsLogAndOneOnItsOwnBeginsANewOne) {
  EXPECT_EQ(logged("echo one", LoggedLife::with_us), "one\n");
  EXPECT_EQ(logged("cat; echo two >&2", LoggedLife::with_us), "one\ntwo\n");
  EXPECT_EQ(logged("echo three", LoggedLife::own_session), "three\n");
}

TEST_F(LoggedChildTest, EachLeadsAGroupAndOneOnItsOwnASession) {
  const std::string ids =
      "read -r line </proc/self/stat; set -- ${line##*)}; [ $3 = $$ ] && echo group; "
      "[ $4 = $$ ] && echo session; true";
  EXPECT_EQ(logged(ids, LoggedLife::with_us), "group\n");
  EXPECT_EQ(logged(ids, LoggedLife::own_session), "group\nsession\n");
}

TEST_F(LoggedChildTest, ALogThatCannotBeWrittenIsSaid) {
  const auto pid = start_logged("shell", {"/bin/true"}, folder / "no/log", LoggedLife::with_us);
  ASSERT_FALSE(pid);
  EXPECT_EQ(pid.error().code, Errc::io);
}

}  // namespace logged_child_test
}  // namespace kernelgate

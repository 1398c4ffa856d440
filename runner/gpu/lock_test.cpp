// SPDX-License-Identifier: Apache-2.0
#include "runner/gpu/lock.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "platform/process/process.hpp"
#include "platform/process/scratch_folder.hpp"

namespace kernelgate::gpu {
namespace lock_test {

namespace fs = std::filesystem;

TEST(GpuLock, NoOtherUserCanHoldIt) {
  ASSERT_FALSE(lock_folder().empty());
  struct stat found {};
  ASSERT_EQ(lstat(lock_folder().c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & S_IRWXO, 0U);
  if (geteuid() != 0) return;  // then nobody else can be played
  ASSERT_TRUE(try_lock_gpu("GPU-test"));
  const std::string file = lock_file_of("GPU-test").string();
  const auto other = run_process({.argv = {"setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "flock",
                                           "--nonblock", file, "echo", "held"},
                                  .env = {"PATH=/usr/bin:/bin"},
                                  .cwd = "/"});
  ASSERT_TRUE(other);
  EXPECT_EQ(other->out, "");
  EXPECT_NE(other->exit_code, 0);
}

TEST(FileLocks, ALinkIsNotFollowed) {
  const ScratchFolder scratch("lock");
  std::ofstream(scratch.path() / "target") << "mine";
  fs::create_symlink(scratch.path() / "target", scratch.path() / "lock");
  EXPECT_FALSE(FileLock::try_acquire(scratch.path() / "lock", LockKind::exclusive));
  EXPECT_TRUE(FileLock::try_acquire(scratch.path() / "other", LockKind::exclusive));
}

}  // namespace lock_test
}  // namespace kernelgate::gpu

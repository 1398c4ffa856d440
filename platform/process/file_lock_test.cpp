// SPDX-License-Identifier: Apache-2.0
#include "platform/process/file_lock.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace kernelgate {
namespace file_lock_test {

struct TemporaryFile {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("kg_lock_" + std::to_string(getpid()));
  ~TemporaryFile() { std::filesystem::remove(path); }
};

TEST(FileLock, OneHolderAloneOrManyShared) {
  const TemporaryFile file;
  {
    auto first = FileLock::acquire(file.path, LockKind::exclusive);
    ASSERT_TRUE(first);
    EXPECT_FALSE(FileLock::try_acquire(file.path, LockKind::shared));
    first->share();
    EXPECT_TRUE(FileLock::try_acquire(file.path, LockKind::shared));
    EXPECT_FALSE(FileLock::try_acquire(file.path, LockKind::exclusive));
  }
  EXPECT_TRUE(FileLock::try_acquire(file.path, LockKind::exclusive));
}

TEST(FileLock, WaitingEndsWithTheHolderOrAStopRequest) {
  const TemporaryFile file;
  auto held = FileLock::try_acquire(file.path, LockKind::exclusive);
  ASSERT_TRUE(held);
  std::stop_source stop;
  std::atomic<bool> got = false;
  std::jthread stopped([&] { EXPECT_FALSE(FileLock::acquire(file.path, LockKind::shared, stop.get_token())); });
  stop.request_stop();
  stopped.join();
  std::jthread waiting([&] { got = FileLock::acquire(file.path, LockKind::exclusive).has_value(); });
  held.reset();
  waiting.join();
  EXPECT_TRUE(got);
}

TEST(FileLock, AFolderThatIsMissingIsAnError) {
  EXPECT_FALSE(FileLock::acquire("/no/such/folder/lock", LockKind::exclusive));
}

}  // namespace file_lock_test
}  // namespace kernelgate

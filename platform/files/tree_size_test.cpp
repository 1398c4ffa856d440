// SPDX-License-Identifier: Apache-2.0
#include "platform/files/tree_size.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "platform/process/scratch_folder.hpp"

namespace kernelgate {
namespace tree_size_test {

namespace fs = std::filesystem;

constexpr Bytes kMiB{1u << 20};

void write(const fs::path& file, std::size_t bytes) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << std::string(bytes, 'x');
}

TEST(TreeSize, CountsFilesAndFollowsNoLink) {
  const ScratchFolder scratch("size");
  write(scratch.path() / "in" / "deep" / "file", 300'000);
  write(scratch.path() / "outside", 2u << 20);
  fs::create_symlink(scratch.path() / "outside", scratch.path() / "in" / "link");
  const TreeSize found = size_on_disk({scratch.path() / "in"}, Bytes{1u << 30});
  EXPECT_GE(found.used.value, 300'000U);
  EXPECT_LT(found.used, kMiB);
  EXPECT_EQ(found.files, 4U);
  EXPECT_TRUE(found.closed.empty());
}

TEST(TreeSize, EndsEarlyOverALimit) {
  const ScratchFolder scratch("size");
  for (int i = 0; i < 50; ++i) write(scratch.path() / std::to_string(i), 1u << 16);
  EXPECT_GT(size_on_disk({scratch.path()}, Bytes{1u << 17}).used.value, 1u << 17);
  EXPECT_EQ(size_on_disk({scratch.path()}, kMiB, 10).files, 11U);
}

TEST(TreeQuota, SaysWhyItIsOver) {
  const ScratchFolder scratch("size");
  write(scratch.path() / "file", 2u << 20);
  TreeQuota tight({scratch.path()}, kMiB), roomy({scratch.path()}, Bytes{1u << 30});
  EXPECT_EQ(tight.look(), "") << "not at once";
  std::this_thread::sleep_for(limits::kTreeLookEvery + std::chrono::milliseconds(100));
  EXPECT_EQ(tight.look(), "its files take more than 1 MiB of disk");
  EXPECT_FALSE(tight.disk_ran_out());
  EXPECT_EQ(roomy.look(), "");
}

}  // namespace tree_size_test
}  // namespace kernelgate

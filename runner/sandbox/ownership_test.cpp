// SPDX-License-Identifier: Apache-2.0
#include "runner/sandbox/ownership.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace kernelgate {
namespace ownership_test {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("kg_ownership_" + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { (void)remove_tree(path); }
};

mode_t mode_of(const fs::path& path) {
  struct stat facts {};
  lstat(path.c_str(), &facts);
  return facts.st_mode & 07777;
}

TEST(Seal, MakesAllReadOnlyAndReadableAndFollowsNoLink) {
  const Folder folder;
  const auto outside = folder.path / "outside";
  const auto tree = folder.path / "tree";
  fs::create_directories(tree / "secret");
  std::ofstream(outside) << "mine";
  std::ofstream(tree / "secret" / "data") << "data";
  std::ofstream(tree / "program") << "program";
  chmod(outside.c_str(), 0640);
  chmod((tree / "program").c_str(), 04755);
  chmod((tree / "secret" / "data").c_str(), 0600);
  chmod((tree / "secret").c_str(), 0700);
  fs::create_symlink(outside, tree / "link");
  mkfifo((tree / "secret" / "pipe").c_str(), 0666);

  ASSERT_TRUE(seal_tree(tree));
  EXPECT_EQ(mode_of(tree / "secret"), 0555U);
  EXPECT_EQ(mode_of(tree / "secret" / "data"), 0444U);
  EXPECT_EQ(mode_of(tree / "program"), 0555U);
  EXPECT_EQ(mode_of(outside), 0640U);
  EXPECT_FALSE(fs::exists(tree / "secret" / "pipe"));

  ASSERT_TRUE(remove_tree(tree));
  EXPECT_FALSE(fs::exists(tree));
  EXPECT_TRUE(fs::exists(outside));
  EXPECT_TRUE(remove_tree(tree));
}

TEST(GiveTree, OpensTheFolderAndLeavesTheModesInItAlone) {
  const Folder folder;
  const auto tree = folder.path / "tree";
  fs::create_directories(tree / "inner");
  chmod(tree.c_str(), 0700);
  chmod((tree / "inner").c_str(), 0700);
  ASSERT_TRUE(give_tree_to(tree, geteuid(), getegid()));
  EXPECT_EQ(mode_of(tree), 0755U);
  EXPECT_EQ(mode_of(tree / "inner"), 0700U);
  EXPECT_FALSE(give_tree_to("/no/such/folder", geteuid(), getegid()));
}

TEST(Seal, AMissingFolderIsAnError) { EXPECT_FALSE(seal_tree("/no/such/folder")); }

}  // namespace ownership_test
}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#include "platform/files/foreign_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/support/test_repository.hpp"

namespace kernelgate {
namespace foreign_file_test {

namespace fs = std::filesystem;

class ForeignFileTest : public testing::Test {
 protected:
  ForeignFileTest() {
    fs::create_directories(folder.path / "build/lib");
    std::ofstream(folder.path / "build/lib/k.so") << "code";
    std::ofstream(folder.path / "secret") << "secret";
  }
  [[nodiscard]] Result<std::string> read(const fs::path& relative, Bytes size_max = Bytes{100}) const {
    return read_foreign_file(folder.path / "build", relative, size_max);
  }
  TemporaryFolder folder{"foreign"};
};

TEST_F(ForeignFileTest, ReadsFilesAndLinksThatStayInTheFolder) {
  EXPECT_EQ(read("lib/k.so"), "code");
  fs::create_symlink("k.so", folder.path / "build/lib/k.so.1");
  EXPECT_EQ(read("lib/k.so.1"), "code");
  EXPECT_EQ(read("lib/none").error().code, Errc::not_found);
}

TEST_F(ForeignFileTest, FollowsNoLinkOutOfTheFolder) {
  fs::create_symlink(folder.path / "secret", folder.path / "build/absolute");
  fs::create_symlink("../secret", folder.path / "build/above");
  fs::create_directory_symlink(folder.path, folder.path / "build/folder");
  fs::create_symlink("/dev/zero", folder.path / "build/endless");
  for (const char* name : {"absolute", "above", "folder/secret", "endless", "../secret"})
    EXPECT_EQ(read(name).error().code, Errc::invalid) << name;
}

TEST_F(ForeignFileTest, RefusesPipesFoldersAndSparseFiles) {
  ASSERT_EQ(mkfifo((folder.path / "build/pipe").c_str(), 0644), 0);
  EXPECT_EQ(read("pipe").error().code, Errc::invalid);  // and does not wait for a writer
  EXPECT_EQ(read("lib").error().code, Errc::invalid);
  std::ofstream(folder.path / "build/sparse") << "x";
  fs::resize_file(folder.path / "build/sparse", 16ull << 30);
  EXPECT_EQ(read("sparse", limits::kProgramMax).error().code, Errc::too_large);
}

}  // namespace foreign_file_test
}  // namespace kernelgate

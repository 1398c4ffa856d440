// SPDX-License-Identifier: Apache-2.0
#include "platform/files/secret_file.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace kernelgate {
namespace secret_file_test {

namespace fs = std::filesystem;

class SecretFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "kernelgate secret XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  Result<std::string> read(const std::string& text, mode_t mode = 0600) {
    const fs::path path = folder_ / "key";
    fs::remove(path);
    std::ofstream(path) << text;
    ::chmod(path.c_str(), mode);
    return read_secret_file(path, "key", 16);
  }

  fs::path folder_;
};

TEST_F(SecretFile, IsTrimmedAtItsEndsAlone) {
  EXPECT_EQ(read("secret").value(), "secret");
  EXPECT_EQ(read(" \r\n\tse cret\r\n\n").value(), "se cret");
  EXPECT_EQ(read(std::string("a\0b", 3)).value(), std::string("a\0b", 3));
}

TEST_F(SecretFile, HasALimitWithItsBlanks) {
  EXPECT_EQ(read(std::string(16, 'k')).value(), std::string(16, 'k'));
  EXPECT_EQ(read(std::string(15, 'k') + "\n").value(), std::string(15, 'k'));
  for (const std::string& text : {std::string(17, 'k'), std::string(16, 'k') + "\n", std::string(1 << 20, ' ')}) {
    const auto key = read(text);
    ASSERT_FALSE(key) << text.size();
    EXPECT_EQ(key.error().code, Errc::too_large);
    EXPECT_EQ(key.error().what.find("kkk"), std::string::npos) << "the secret is not shown";
  }
}

TEST_F(SecretFile, OfNothingIsNoSecret) {
  for (const char* text : {"", " ", "\r\n\t \n"}) EXPECT_EQ(read(text).error().code, Errc::invalid);
}

TEST_F(SecretFile, IsForItsOwnerAlone) {
  for (const mode_t mode : {0400, 0600, 0700}) EXPECT_TRUE(read("secret", mode)) << mode;
  for (const mode_t mode : {0601, 0602, 0604, 0610, 0620, 0640, 0777}) {
    const auto key = read("secret", mode);
    ASSERT_FALSE(key) << mode;
    EXPECT_EQ(key.error().fix, "run: chmod 600 '" + (folder_ / "key").string() + "'");
  }
}

TEST_F(SecretFile, IsAPlainFileThatIsThere) {
  EXPECT_NE(read_secret_file(folder_ / "none", "key", 16).error().what.find("cannot open the key file"),
            std::string::npos);
  EXPECT_EQ(read_secret_file(folder_, "key", 16).error().what, "the key file is not a plain file");
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(read_secret_file(pipe, "key", 16).error().what, "the key file is not a plain file") << "and does not wait";
}

}  // namespace secret_file_test
}  // namespace kernelgate

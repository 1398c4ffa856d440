// SPDX-License-Identifier: Apache-2.0
#include "client/token_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

namespace kernelgate {
namespace token_file_test {

namespace fs = std::filesystem;

class TokenFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "kernelgate-token-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& text, mode_t mode) {
    const fs::path path = folder_ / "a token";
    std::ofstream(path) << text;
    ::chmod(path.c_str(), mode);
    return path;
  }

  fs::path folder_;
};

const std::string kToken = "kg_" + std::string(64, 'a');

TEST_F(TokenFile, GivesTheTokenWithoutItsNewline) {
  EXPECT_EQ(read_token_file(write(kToken + "\n", 0600)).value(), kToken);
  EXPECT_EQ(read_token_file(write(kToken, 0400)).value(), kToken);
}

TEST_F(TokenFile, RefusesAFileThatOthersMayRead) {
  for (const mode_t mode : {0644, 0640, 0606, 0620}) {
    const auto token = read_token_file(write(kToken, mode));
    ASSERT_FALSE(token) << mode;
    EXPECT_EQ(token.error().code, Errc::invalid);
    EXPECT_NE(token.error().fix.find("chmod 600"), std::string::npos);
  }
}

TEST_F(TokenFile, RefusesWhatIsNoToken) {
  for (const std::string& text : {std::string(), std::string("kg_"), std::string("secret-password"), kToken + "a",
                                  "KG_" + std::string(64, 'a'), "kg_" + std::string(64, 'g'), std::string(1000, 'x')}) {
    const auto token = read_token_file(write(text, 0600));
    ASSERT_FALSE(token) << text;
    const bool shown = text.size() > 8 && to_string(token.error()).find(text) != std::string::npos;
    EXPECT_FALSE(shown) << to_string(token.error());
  }
}

TEST_F(TokenFile, OpensAClientWithAGoodTokenAlone) {
  EXPECT_TRUE(open_client({.server = "http://127.0.0.1:1"}, write(kToken, 0600)));
  EXPECT_FALSE(open_client({.server = "http://127.0.0.1:1"}, write(kToken, 0644)));
  EXPECT_FALSE(open_client({.server = "http://127.0.0.1:1"}, {}));
}

TEST_F(TokenFile, RefusesWhatIsNoFile) {
  EXPECT_FALSE(read_token_file(folder_ / "absent"));
  ::chmod(folder_.c_str(), 0700);
  EXPECT_FALSE(read_token_file(folder_));
}

}  // namespace token_file_test
}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "commands/commands.hpp"
#include "core/units/digest.hpp"
#include "tests/support/history_fixture.hpp"

namespace kernelgate::cli {
namespace cmd_history_test {

using testing::HasSubstr;

class History : public testing::Test {
 protected:
  History() : file_((std::filesystem::temp_directory_path() / ("kg-history-" + random_hex(8) + ".db")).string()) {
    const auto database = db::Database::open(file_);
    EXPECT_TRUE(browse::fill_history(**database, "local", browse::creeping()));
  }
  ~History() override {
    std::error_code ignored;
    for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(file_ + suffix, ignored);
  }
  std::string printed(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "kernelgate");
    arguments.insert(arguments.end(), {"--db", file_.c_str()});
    testing::internal::CaptureStdout();
    EXPECT_EQ(run(static_cast<int>(arguments.size()), arguments.data()), 0);
    return testing::internal::GetCapturedStdout();
  }
  std::string file_;
};

TEST_F(History, TenCommitsOfHalfAPercentAreShownAsCreep) {
  EXPECT_THAT(printed({"history", "--benchmark", "64"}), HasSubstr("creep: +5.1 % since 0000000000 (10 commits"));
  const std::string json = printed({"history", "--benchmark", "64", "--format", "json"});
  EXPECT_THAT(json, HasSubstr("\"commit_before\":\"" + browse::commit_of(12) + "\""));
  EXPECT_THAT(printed({"history", "--benchmark", "64", "--format", "csv"}), HasSubstr("creep +5.1 %"));
}

TEST_F(History, RunsAreListedAndOneIsShown) {
  EXPECT_THAT(printed({"runs", "list", "--limit", "2"}), HasSubstr("Change 22"));
  EXPECT_EQ(printed({"runs", "--limit", "2"}), printed({"runs", "list", "--limit", "2"}));
  EXPECT_THAT(printed({"runs", "show", "3"}), HasSubstr("run 3 of local: 0000000000"));
  EXPECT_THAT(printed({"runs", "show", "3", "--format", "json"}), HasSubstr("\"conclusion\": \"passed\""));
}

}  // namespace cmd_history_test
}  // namespace kernelgate::cli

// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <gtest/gtest.h>

#include "commands/commands.hpp"
#include "core/units/digest.hpp"
#include "db/store/migrations.hpp"

namespace kernelgate::cli {
namespace cmd_backup_test {

int call(std::initializer_list<const char*> words) { return run(static_cast<int>(words.size()), words.begin()); }

TEST(Backup, CopiesOnceAndChecks) {
  const auto folder = std::filesystem::temp_directory_path() / ("kg backup " + random_hex(6));
  std::filesystem::create_directories(folder);
  const std::string store = folder / "store.db";
  const std::string copy = folder / "copy.db";
  {
    db::Connection connection(store);
    db::migrate(connection);
  }
  EXPECT_EQ(call({"kernelgate", "backup", "--db", store.c_str(), "--to", copy.c_str()}), 0);
  EXPECT_EQ(call({"kernelgate", "backup", "--db", copy.c_str(), "--check"}), 0);
  EXPECT_EQ(call({"kernelgate", "backup", "--db", store.c_str(), "--to", copy.c_str()}), 2) << "never overwrites";
  EXPECT_EQ(call({"kernelgate", "backup", "--db", store.c_str()}), 2);
  EXPECT_NE(call({"kernelgate", "backup", "--db", (store + ".absent").c_str(), "--check"}), 0);
  std::filesystem::remove_all(folder);
}

}  // namespace cmd_backup_test
}  // namespace kernelgate::cli

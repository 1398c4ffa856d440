// SPDX-License-Identifier: Apache-2.0
#include "runner/build/entry.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "platform/process/file_lock.hpp"
#include "tests/support/test_repository.hpp"

namespace kernelgate::build_detail {
namespace entry_test {

namespace fs = std::filesystem;

class EntryTest : public testing::Test {
 protected:
  fs::path make(const std::string& name, std::size_t size) const {
    const auto folder = root.path / "entries" / name;
    fs::create_directories(folder / "source");
    fs::create_directories(folder / "build/sub");
    fs::create_directories(root.path / "locks");
    std::ofstream(folder / "build/sub/program") << std::string(size, 'x');
    fs::create_symlink("sub/program", folder / "build/link");
    Entry entry;
    entry.ok = true;
    entry.seconds = 1.5;
    EXPECT_TRUE(finish_entry(folder, entry, "log"));
    return folder;
  }
  TemporaryFolder root{"entry"};
};

TEST_F(EntryTest, ComesBackAsWritten) {
  const auto entry = load_entry(make("a", 1000));
  ASSERT_TRUE(entry);
  EXPECT_TRUE(entry->ok);
  EXPECT_EQ(entry->seconds, 1.5);
  EXPECT_EQ(entry->bytes, 1003U);
}

TEST_F(EntryTest, AnyDamageIsSeen) {
  const std::vector<std::function<void(const fs::path&)>> damages{
      [](const fs::path& f) { std::ofstream(f / "build/sub/program") << std::string(999, 'x') + "y"; },
      [](const fs::path& f) { fs::resize_file(f / "build/sub/program", 10); },
      [](const fs::path& f) { std::ofstream(f / "build/new") << "x"; },
      [](const fs::path& f) { fs::remove(f / "build/link"); },
      [](const fs::path& f) { fs::remove(f / "entry"); },
      [](const fs::path& f) { fs::resize_file(f / "entry", fs::file_size(f / "entry") - 3); },
      [](const fs::path& f) { std::ofstream(f / "entry") << "nonsense"; },
      [](const fs::path& f) { fs::remove_all(f / "build"); },
  };
  for (std::size_t i = 0; i < damages.size(); ++i) {
    const auto folder = make("entry" + std::to_string(i), 1000);
    ASSERT_TRUE(load_entry(folder));
    damages[i](folder);
    EXPECT_FALSE(load_entry(folder)) << i;
  }
}

TEST_F(EntryTest, TheLongestUnusedGoFirstAndThoseInUseStay) {
  const std::vector<std::string> names{"old", "used", "young"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto folder = make(names[i], 1000);
    fs::last_write_time(folder / "used", fs::file_time_type::clock::now() - std::chrono::hours(10 - 3 * i));
  }
  const auto exists = [&](const char* name) { return fs::exists(root.path / "entries" / name); };
  const auto in_use = FileLock::try_acquire(root.path / "locks/old.lock", LockKind::shared);
  evict(root.path / "entries", root.path / "locks", 2500);
  EXPECT_TRUE(exists("old"));
  EXPECT_FALSE(exists("used"));
  EXPECT_TRUE(exists("young"));
  evict(root.path / "entries", root.path / "locks", 1u << 30);
  EXPECT_TRUE(exists("young"));
}

TEST_F(EntryTest, TextIsReplacedInOneStep) {
  const auto file = root.path / "text";
  ASSERT_TRUE(write_text(file, "one"));
  ASSERT_TRUE(write_text(file, "two"));
  EXPECT_EQ(read_text(file), "two");
  EXPECT_FALSE(write_text(root.path / "missing/text", "x"));
  EXPECT_EQ(read_text(root.path / "none"), "");
}

}  // namespace entry_test
}  // namespace kernelgate::build_detail

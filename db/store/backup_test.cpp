// SPDX-License-Identifier: Apache-2.0
#include "db/store/backup.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>

#include "db/store/database.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace backup_test {

std::vector<std::string> synced;  // names of the files and folders that fsync was called for

}  // namespace backup_test
}  // namespace kernelgate::db

// In place of the C library's: it does the same, and notes for whom.
extern "C" int fsync(int file) {
  std::error_code ignored;
  const auto name = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file), ignored);
  kernelgate::db::backup_test::synced.push_back(name.filename().string());
  return static_cast<int>(::syscall(SYS_fsync, file));
}

namespace kernelgate::db {
namespace backup_test {

using testing::StartsWith;

TEST(Backup, IsOnTheDiskWithItsNameBeforeItIsReported) {
  const Folder folder;
  {
    Connection connection(folder / "store.db");
    migrate(connection);
  }
  synced.clear();
  ASSERT_TRUE(back_up(folder / "store.db", folder / "copy.db"));
  ASSERT_GE(synced.size(), 2u);
  EXPECT_THAT(synced[synced.size() - 2], StartsWith("copy.db.partial-"));
  EXPECT_EQ(synced.back(), (folder / "").parent_path().filename());
}

TEST(Backup, AnOlderStoreIsCopiedBeforeItIsMigrated) {
  const Folder folder;
  const auto file = folder / "store.db";
  {
    Connection connection(file);
    migrate(connection, embedded_migrations().first(16));
    connection.run("INSERT INTO repositories (name, url, default_branch, created_at) VALUES ('old', 'u', 'main', 0)");
  }
  const auto copy = folder / "store.db.schema-16";
  { ASSERT_TRUE(Database::open(file)); }
  Connection before(copy, {.mode = OpenMode::read_only});
  Statement version = before.query("PRAGMA user_version");
  ASSERT_TRUE(version.step());
  EXPECT_EQ(version.integer(0), 16);
  Statement row = before.query("SELECT name FROM repositories");
  ASSERT_TRUE(row.step());
  EXPECT_EQ(row.text(0), "old");
  const auto made = std::filesystem::last_write_time(copy);
  { ASSERT_TRUE(Database::open(file)); }
  EXPECT_EQ(std::filesystem::last_write_time(copy), made) << "a store that is up to date is copied no more";
}

TEST(Backup, IsAWholeStoreWhileTheServerWrites) {
  const Folder folder;
  auto database = std::move(Database::open(folder / "store.db")).value();
  std::atomic<bool> writing = true;
  std::atomic<int> written = 0;
  std::thread writer([&] {
    for (int i = 0; writing; ++i) {
      const auto added = database->write([i](Connection& c) {
        return add_repository(c, {.name = std::to_string(i), .url = "u", .manifest = {}}, at(0));
      });
      written += added ? 1 : 0;
    }
  });
  while (written < 5) std::this_thread::yield();
  const auto report = back_up(folder / "store.db", folder / "copy.db");
  writing = false;
  writer.join();
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_EQ(report->schema_version, static_cast<int>(embedded_migrations().size()));
  EXPECT_EQ(report->size.value, std::filesystem::file_size(folder / "copy.db"));
  EXPECT_TRUE(check_integrity(folder / "copy.db"));
  auto copy = std::move(Database::open(folder / "copy.db")).value();
  const auto held = copy->read([](Connection& c) { return list_repositories(c, {.limit = 500}).size(); });
  EXPECT_GE(*held, 5u);
}

TEST(Backup, NeverOverwrites) {
  const Folder folder;
  {
    Connection connection(folder / "store.db");
    migrate(connection);
  }
  std::ofstream(folder / "copy.db") << "precious";
  EXPECT_EQ(back_up(folder / "store.db", folder / "copy.db").error().code, Errc::conflict);
  EXPECT_EQ(std::filesystem::file_size(folder / "copy.db"), 8u);
  EXPECT_EQ(back_up(folder / "absent.db", folder / "other.db").error().code, Errc::not_found);
  EXPECT_FALSE(std::filesystem::exists(folder / "absent.db"));
}

TEST(Backup, RefusesWhatIsNoStore) {
  const Folder folder;
  { Connection(folder / "other.db").script("CREATE TABLE theirs (i INTEGER)"); }
  EXPECT_EQ(back_up(folder / "other.db", folder / "copy.db").error().code, Errc::invalid);
  EXPECT_FALSE(std::filesystem::exists(folder / "copy.db"));
}

TEST(Integrity, DamageIsNoticed) {
  const Folder folder;
  const auto file = folder / "store.db";
  {
    Connection connection(file);
    migrate(connection);
    ASSERT_TRUE(add_repository(connection, {.name = "kernels", .url = "u", .manifest = {}}, at(0)));
  }
  ASSERT_TRUE(check_integrity(file));
  {
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    for (std::streamoff page = 1; page < 12; ++page) {
      bytes.seekp(page * 4096);
      bytes << std::string(64, '\x7f');
    }
  }
  EXPECT_EQ(check_integrity(file).error().code, Errc::corrupt);
}

class Damage : public StoreTest {};

TEST_F(Damage, ASeriesCutShortIsNoticedOnReadingAndByTheCheck) {
  const RunId run = working_run(1);
  ASSERT_TRUE(put_process(connection, run, process("p", Side::head, 0, {1, 2, 3}), at(1)));
  connection.script("UPDATE series SET samples = x'00000000000000000000000000000000'");
  EXPECT_THROW((void)evidence_processes(connection, run), DbError);
  EXPECT_EQ(check_integrity(folder / "store.db").error().code, Errc::corrupt);
}

}  // namespace backup_test
}  // namespace kernelgate::db

// SPDX-License-Identifier: Apache-2.0
#include "db/store/database.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <future>
#include <iostream>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace database_test {

std::unique_ptr<Database> open_store(const Folder& folder, DatabaseOptions options = {}) {
  auto database = Database::open(folder / "store.db", options);
  EXPECT_TRUE(database) << to_string(database.error());
  return std::move(*database);
}

Result<RepositoryId> add(Connection& connection, const std::string& name) {
  return add_repository(connection, {.name = name, .url = "u", .manifest = {}}, at(0));
}

std::size_t stored(Database& database) {
  return database.read([](Connection& c) { return list_repositories(c, {.limit = 500}).size(); }).value();
}

TEST(Database, WhatWasWrittenIsRead) {
  const Folder folder;
  auto database = open_store(folder);
  ASSERT_TRUE(database->write([](Connection& c) { return add(c, "a"); }));
  const auto found = database->read([](Connection& c) { return get_repository(c, "a"); });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "a");
}

TEST(Database, AnErrorRollsTheWorkBack) {
  const Folder folder;
  auto database = open_store(folder);
  const auto result = database->write([](Connection& c) -> Result<int> {
    EXPECT_TRUE(add(c, "a"));
    return fail(Errc::conflict, "no");
  });
  EXPECT_EQ(result.error().code, Errc::conflict);
  EXPECT_EQ(stored(*database), 0u);
}

TEST(Database, AnExceptionBecomesAnErrorAndTheStoreGoesOn) {
  const Folder folder;
  auto database = open_store(folder);
  const auto result = database->write([](Connection& c) -> int {
    EXPECT_TRUE(add(c, "a"));
    throw std::runtime_error("broken work");
  });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::io);
  EXPECT_NE(result.error().what.find("broken work"), std::string::npos);
  EXPECT_EQ(stored(*database), 0u);
  EXPECT_TRUE(database->write([](Connection& c) { return add(c, "b"); }));
}

TEST(Database, WorkWithoutAValueGivesAStatus) {
  const Folder folder;
  auto database = open_store(folder);
  const Status status = database->write([](Connection& c) { (void)add(c, "a").value(); });
  EXPECT_TRUE(status);
  EXPECT_EQ(stored(*database), 1u);
}

TEST(Database, TakesMoveOnlyWorkAndCallsBackAfterTheCommit) {
  const Folder folder;
  auto database = open_store(folder);
  std::promise<std::size_t> seen;
  auto name = std::make_unique<std::string>("a");
  Database* raw = database.get();
  database->write_async([name = std::move(name)](Connection& c) { return add(c, *name); },
                        [raw, &seen](Result<RepositoryId> id) {
                          EXPECT_TRUE(id);
                          raw->read_async([](Connection& c) { return list_repositories(c).size(); },
                                          [&seen](Result<std::size_t> size) { seen.set_value(size.value()); });
                        });
  EXPECT_EQ(seen.get_future().get(), 1u);
}

TEST(Database, ReadsCannotWrite) {
  const Folder folder;
  auto database = open_store(folder);
  EXPECT_FALSE(database->read([](Connection& c) { return add(c, "a"); }));
}

TEST(Database, ReservedReadersWaitForNoOther) {
  const Folder folder;
  auto database = open_store(folder, {.readers = 1, .reserved_readers = 1});
  std::promise<void> release;
  auto slow = database->submit_read([&](Connection&) {
    release.get_future().wait();
    return 1;
  });
  auto urgent = std::async(std::launch::async, [&] { return database->read_reserved([](Connection&) { return 2; }); });
  EXPECT_EQ(urgent.wait_for(std::chrono::seconds(10)), std::future_status::ready);
  release.set_value();
  EXPECT_EQ(*urgent.get(), 2);
  EXPECT_EQ(*slow.get(), 1);
}

TEST(Database, StopDoesWhatIsQueuedAndRefusesTheRest) {
  const Folder folder;
  auto database = open_store(folder);
  std::atomic<int> done = 0;
  for (int i = 0; i < 50; ++i) {
    database->write_async([i](Connection& c) { return add(c, "r" + std::to_string(i)); },
                          [&done](const Result<RepositoryId>& id) { done += id ? 1 : 0; });
  }
  database->stop();
  EXPECT_EQ(done, 50);
  const auto late = database->write([](Connection& c) { return add(c, "late"); });
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Errc::unavailable);
  database->stop();  // again is harmless
  EXPECT_EQ(stored(*open_store(folder)), 50u);
}

// A log that stays behind would be played over a copy that is put in the store's place.
TEST(Database, AStoppedStoreIsOneFile) {
  const Folder folder;
  auto database = open_store(folder, {.readers = 4});
  ASSERT_TRUE(database->write([](Connection& c) { return add(c, "a"); }));
  EXPECT_EQ(stored(*database), 1U);
  database->stop();
  EXPECT_FALSE(std::filesystem::exists(folder / "store.db-wal"));
  EXPECT_FALSE(std::filesystem::exists(folder / "store.db-shm"));
}

TEST(Database, ManyReadersSeeWholeTransactionsOnly) {
  const Folder folder;
  auto database = open_store(folder, {.readers = 3});
  std::atomic<bool> writing = true;
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (writing) EXPECT_EQ(stored(*database) % 2, 0u);
    });
  }
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(database->write([i](Connection& c) -> Result<RepositoryId> {
      const auto first = add(c, "a" + std::to_string(i));
      if (!first) return first;
      return add(c, "b" + std::to_string(i));
    }));
  }
  writing = false;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(stored(*database), 80u);
}

TEST(Database, ManyWritersLoseNothing) {
  const Folder folder;
  auto database = open_store(folder);
  std::vector<std::thread> writers;
  for (int w = 0; w < 4; ++w) {
    writers.emplace_back([&, w] {
      for (int i = 0; i < 20; ++i) {
        EXPECT_TRUE(
            database->write([&](Connection& c) { return add(c, std::to_string(w) + "-" + std::to_string(i)); }));
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(stored(*database), 80u);
}

TEST(Database, OpeningDoesNotWaitForAnotherProgramsWriting) {
  const Folder folder;
  open_store(folder)->stop();
  Connection other(folder / "store.db");
  const Transaction held(other);
  auto database = open_store(folder, {.busy_timeout = Millis{1}});
  EXPECT_EQ(stored(*database), 0u);
}

TEST(Database, ProgramsThatOpenAndWriteAtOnceAllGetThrough) {
  const Folder folder;
  constexpr int kPrograms = 3, kWrites = 10;
  std::vector<pid_t> programs;
  for (int p = 0; p < kPrograms; ++p) {
    programs.push_back(fork());
    if (programs.back() != 0) continue;
    for (int i = 0; i < kWrites; ++i) {
      const auto database = Database::open(folder / "store.db");
      if (!database) std::cerr << to_string(database.error()) << '\n', _exit(1);
      const auto added =
          (*database)->write([&](Connection& c) { return add(c, std::to_string(p) + "-" + std::to_string(i)); });
      if (!added) std::cerr << to_string(added.error()) << '\n', _exit(2);
    }
    _exit(0);
  }
  for (const pid_t program : programs) {
    int status = -1;
    waitpid(program, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(stored(*open_store(folder)), static_cast<std::size_t>(kPrograms * kWrites));
}

TEST(Database, AStoreThatAnotherProgramHoldsIsUnavailable) {
  const Folder folder;
  auto database = open_store(folder, {.busy_timeout = Millis{1}});
  Connection other(folder / "store.db");
  {
    const Transaction held(other);
    const auto result = database->write([](Connection& c) { return add(c, "a"); });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Errc::unavailable);
  }
  EXPECT_TRUE(database->write([](Connection& c) { return add(c, "a"); }));
}

}  // namespace database_test
}  // namespace kernelgate::db

// SPDX-License-Identifier: Apache-2.0
// What survives a kill -9 and a full disk.
#include <signal.h>
#include <sys/wait.h>

#include <cstdlib>

#include "db/store/backup.hpp"
#include "db/store/database.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace durability_test {

NewRun numbered_run(RepositoryId repository, int number) {
  NewRun run{.repository = repository, .commit = hash_of(number)};
  run.idempotency_key = std::to_string(number);
  return run;
}

// Commits runs and says so, one byte each, until it is killed.
[[noreturn]] void commit_until_killed(const std::filesystem::path& file, int told) {
  auto database = Database::open(file, {.readers = 0});
  if (!database) _exit(1);
  for (int i = 0;; ++i) {
    const auto added =
        (*database)->write([&](Connection& c) { return add_run(c, numbered_run(RepositoryId{1}, i), at(i)); });
    if (!added || ::write(told, "x", 1) != 1) _exit(2);
  }
}

TEST(Durability, WhatWasAcknowledgedSurvivesAKill) {
  const Folder folder;
  const auto file = folder / "store.db";
  {
    Connection connection(file);
    migrate(connection);
    ASSERT_TRUE(add_repository(connection, {.name = "kernels", .url = "u", .manifest = {}}, at(0)));
  }
  int acknowledged = 0;
  for (int round = 1; round <= 3; ++round) {
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      close(pipe_ends[0]);
      commit_until_killed(file, pipe_ends[1]);
    }
    close(pipe_ends[1]);
    char byte = 0;
    int told = 0;
    while (told < 10 * round && read(pipe_ends[0], &byte, 1) == 1) ++told;
    kill(child, SIGKILL);
    while (read(pipe_ends[0], &byte, 1) == 1) ++told;
    int status = 0;
    waitpid(child, &status, 0);
    close(pipe_ends[0]);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the child ended by itself: " << status;
    acknowledged = std::max(acknowledged, told);  // each child begins again at 0: known keys add nothing

    const Status whole = check_integrity(file);
    EXPECT_TRUE(whole) << to_string(whole.error());
    Connection connection(file, {.mode = OpenMode::read_only});
    Statement runs = connection.query("SELECT count(*), (SELECT count(*) FROM jobs) FROM runs");
    ASSERT_TRUE(runs.step());
    EXPECT_GE(runs.integer(0), acknowledged);
    EXPECT_LE(runs.integer(0), acknowledged + 1);  // the one whose word did not get through
    EXPECT_EQ(runs.integer(0), runs.integer(1));
  }
}

TEST(Durability, AFullDiskIsSaidClearlyAndLosesNothing) {
  const Folder folder;
  const auto file = folder / "store.db";
  auto database = std::move(Database::open(file, {.max_pages = 150})).value();
  const auto run = database->write([](Connection& c) -> Result<RunId> {
    const auto repository = add_repository(c, {.name = "kernels", .url = "u", .manifest = {}}, at(0));
    NewRun local = numbered_run(*repository, 1);
    local.queued = false;
    return add_run(c, local, at(0)).map([](const AddedRun& added) { return added.id; });
  });
  ASSERT_TRUE(run) << to_string(run.error());
  int stored = 0;
  std::optional<Error> full;
  for (int i = 0; i < 1000 && !full; ++i) {
    Process process;
    process.id = std::to_string(i);
    process.suite = "s";
    process.series.push_back(
        {.benchmark = "b", .samples_ns = std::vector<double>(500, 1.5), .error = {}, .counters = {}});
    const auto put = database->write([&](Connection& c) { return put_process(c, *run, process, at(i)); });
    if (put) {
      ++stored;
    } else {
      full = put.error();
    }
  }
  ASSERT_TRUE(full);
  EXPECT_EQ(full->code, Errc::io);
  EXPECT_NE(to_string(*full).find("full"), std::string::npos) << to_string(*full);
  EXPECT_NE(full->fix.find("free some space"), std::string::npos);
  EXPECT_GT(stored, 0);
  const auto kept = database->read([&](Connection& c) { return evidence_processes(c, *run); });
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->size(), static_cast<std::size_t>(stored));
  database->stop();
  EXPECT_TRUE(check_integrity(file));
  // With room again the store goes on where it was.
  database = std::move(Database::open(file)).value();
  Process last;
  last.id = "last";
  EXPECT_EQ(database->write([&](Connection& c) { return put_process(c, *run, last, at(1)); }), true);
}

}  // namespace durability_test
}  // namespace kernelgate::db

// SPDX-License-Identifier: Apache-2.0
#pragma once

// For the tests of db/: a folder that goes with the test, a store in it, and small makers of stored
// things.

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "core/units/digest.hpp"
#include "db/repositories/repositories.hpp"
#include "db/repositories/testbeds.hpp"
#include "db/runs/jobs.hpp"
#include "db/runs/processes.hpp"
#include "db/runs/runs.hpp"
#include "db/store/migrations.hpp"

namespace kernelgate::db {

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("kg db " + random_hex(8))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline std::string hash_of(int number) {
  std::string digits = std::to_string(number);
  return std::string(40 - digits.size(), '0') + digits;
}

inline Instant at(std::int64_t seconds) { return Instant{std::chrono::seconds(seconds)}; }

// A migrated store with one repository, used over a single connection.
class StoreTest : public testing::Test {
 protected:
  StoreTest() : connection(folder / "store.db") {
    connection.script("PRAGMA synchronous = OFF");  // these tests are not about the disk
    migrate(connection);
    repository = *add_repository(connection, {.name = "kernels", .url = "file:///k", .manifest = {}}, at(0));
  }

  RunId queue_run(int commit, const std::string& key = {}) {
    NewRun run{.repository = repository, .commit = hash_of(commit)};
    run.branch = "main";
    run.source = "cli";
    run.idempotency_key = key.empty() ? hash_of(commit) : key;
    return add_run(connection, run, at(commit))->id;
  }
  // A run that a local caller holds, in the testbed's present epoch.
  RunId working_run(int commit, const std::string& key = {}) {
    NewRun run{.repository = repository, .commit = hash_of(commit)};
    run.branch = "main";
    run.idempotency_key = key.empty() ? hash_of(commit) : key;
    run.queued = false;
    const RunId id = add_run(connection, run, at(commit))->id;
    EXPECT_TRUE(set_epoch(connection, id, epoch(), "local"));
    return id;
  }
  EpochId epoch(const std::string& driver = "1") {
    wire::TestbedFacts facts;
    facts.name = "bed";
    facts.driver = driver;
    return enter_epoch(connection, facts, at(0));
  }

  static Process process(const std::string& id, Side side, int pair, std::vector<double> samples,
                         const std::string& benchmark = "b") {
    Process out;
    out.id = id;
    out.suite = "s";
    out.side = side;
    out.pair = pair;
    out.order = 2 * pair + (side == Side::head ? 1 : 0);
    out.state_json = "{}";
    out.series.push_back({.benchmark = benchmark, .samples_ns = std::move(samples), .error = {}, .counters = {}});
    return out;
  }

  static Comparison comparison(const std::string& benchmark, Verdict verdict, int degrees = 0, double sum_squares = 0) {
    Comparison out;
    out.suite = "s";
    out.benchmark = benchmark;
    out.verdict = verdict;
    out.degrees = degrees;
    out.sum_squares = sum_squares;
    return out;
  }

  void finish(RunId run, Conclusion conclusion, std::vector<Comparison> comparisons = {}) {
    FinishedRun finished;
    finished.decision.conclusion = conclusion;
    finished.decision.comparisons = std::move(comparisons);
    const Status done = finish_run(connection, run, finished, at(1000));
    ASSERT_TRUE(done) << to_string(done.error());
  }

  Folder folder;
  Connection connection;
  RepositoryId repository;
};

}  // namespace kernelgate::db

// SPDX-License-Identifier: Apache-2.0
// How fast the store takes processes, and how fast it answers for a chart when it holds 100,000 of them.
// Not part of any test; run: store_bench --benchmark_out_format=json
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "core/units/digest.hpp"
#include "db/history/counts.hpp"
#include "db/history/history.hpp"
#include "db/repositories/repositories.hpp"
#include "db/repositories/testbeds.hpp"
#include "db/runs/comparisons.hpp"
#include "db/runs/processes.hpp"
#include "db/runs/runs.hpp"
#include "db/store/database.hpp"

namespace kernelgate::db {
namespace {

constexpr int kRuns = 6250;
constexpr int kProcessesPerRun = 16;  // 100,000 in all
constexpr int kBenchmarks = 4;
constexpr int kSamples = 9;

std::string commit_hash(int number) {
  const std::string digits = std::to_string(number);
  return std::string(40 - digits.size(), '0') + digits;
}

Process make_process(int run, int index) {
  Process process;
  process.id = std::to_string(run) + "-" + std::to_string(index);
  process.suite = "suite";
  process.side = index % 2 == 0 ? Side::base : Side::head;
  process.pair = index / 2;
  process.order = index;
  process.state_json = "{}";
  for (int b = 0; b < kBenchmarks; ++b)
    process.series.push_back({.benchmark = "benchmark/" + std::to_string(b),
                              .samples_ns = std::vector<double>(kSamples, 1000.0 + run + index),
                              .error = {},
                              .counters = {}});
  return process;
}

Result<RunId> start_run(Connection& connection, RepositoryId repository, int number) {
  const auto added = add_run(connection,
                             {.repository = repository,
                              .commit = commit_hash(number),
                              .branch = "main",
                              .idempotency_key = commit_hash(number),
                              .queued = false},
                             from_millis(number));
  if (!added) return pass_on(added);
  wire::TestbedFacts facts;
  facts.name = "bed";
  (void)set_epoch(connection, added->id, enter_epoch(connection, facts, from_millis(0)), "bench");
  return added->id;
}

Status whole_run(Connection& connection, RepositoryId repository, int number) {
  const auto run = start_run(connection, repository, number);
  if (!run) return pass_on(run);
  for (int i = 0; i < kProcessesPerRun; ++i) {
    if (const auto put = put_process(connection, *run, make_process(number, i), from_millis(number)); !put)
      return pass_on(put);
  }
  FinishedRun finished;
  finished.decision.conclusion = Conclusion::passed;
  for (int b = 0; b < kBenchmarks; ++b) {
    Comparison comparison;
    comparison.suite = "suite";
    comparison.benchmark = "benchmark/" + std::to_string(b);
    comparison.verdict = Verdict::unchanged;
    comparison.degrees = 7;
    comparison.sum_squares = 0.001;
    finished.decision.comparisons.push_back(comparison);
  }
  return finish_run(connection, *run, finished, from_millis(number));
}

// One store for all benchmarks of the process, filled once.
class FullStore {
 public:
  FullStore() : folder_(std::filesystem::temp_directory_path() / ("kg-bench-" + random_hex(6))) {
    std::filesystem::create_directories(folder_);
    database = std::move(Database::open(folder_ / "store.db")).value();
    repository =
        database->write([](Connection& c) { return add_repository(c, {.name = "r", .url = "u"}, from_millis(0)); })
            .value();
    for (int first = 0; first < kRuns; first += 250) {
      const Status filled = database->write([&](Connection& c) -> Status {
        for (int i = first; i < first + 250; ++i)
          if (const Status one = whole_run(c, repository, i); !one) return one;
        return {};
      });
      if (!filled) std::abort();
    }
  }
  ~FullStore() {
    database.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::unique_ptr<Database> database;
  RepositoryId repository;

 private:
  std::filesystem::path folder_;
};

FullStore& full_store() {
  static FullStore store;
  return store;
}

// `batch` processes a transaction, as an upload brings them.
void upload_processes(benchmark::State& state) {
  FullStore& store = full_store();
  const int batch = static_cast<int>(state.range(0));
  static int number = 10'000'000;
  const RunId run =
      store.database->write([&](Connection& c) { return start_run(c, store.repository, number++); }).value();
  int next = 0;
  for (auto _ : state) {
    const auto stored = store.database->write([&](Connection& c) -> Status {
      for (int i = 0; i < batch; ++i)
        if (const auto put = put_process(c, run, make_process(number, next++), from_millis(1)); !put)
          return pass_on(put);
      return {};
    });
    if (!stored) state.SkipWithError(stored.error().what.c_str());
  }
  state.SetItemsProcessed(state.iterations() * batch);
}

void read_history(benchmark::State& state) {
  FullStore& store = full_store();
  const HistoryFilter filter{.repository = store.repository, .suite = "suite", .benchmark = "benchmark/1"};
  for (auto _ : state) {
    const auto page = store.database->read(
        [&](Connection& c) { return list_history(c, filter, {.before = kRuns / 2, .limit = 500}); });
    if (!page || page->size() != 500) state.SkipWithError("no full page");
  }
}

void read_variances(benchmark::State& state) {
  FullStore& store = full_store();
  for (auto _ : state) {
    const auto all =
        store.database->read([&](Connection& c) { return stored_variances(c, store.repository, EpochId{1}); });
    if (!all || all->size() != kBenchmarks) state.SkipWithError("no variances");
  }
}

void list_runs_page(benchmark::State& state) {
  FullStore& store = full_store();
  for (auto _ : state) {
    const auto page = store.database->read([&](Connection& c) {
      return list_runs(c, {.repository = store.repository, .conclusion = Conclusion::passed}, {.before = kRuns / 2});
    });
    if (!page || page->size() != 50) state.SkipWithError("no full page");
  }
}

void evidence_of_a_run(benchmark::State& state) {
  FullStore& store = full_store();
  for (auto _ : state) {
    const auto all = store.database->read([&](Connection& c) { return evidence_processes(c, RunId{kRuns / 2}); });
    if (!all || all->size() != kProcessesPerRun) state.SkipWithError("no processes");
  }
}

void metrics(benchmark::State& state) {
  FullStore& store = full_store();
  for (auto _ : state) {
    const auto counts = store.database->read([](Connection& c) { return count_all(c); });
    if (!counts || counts->processes < std::int64_t{kRuns} * kProcessesPerRun) state.SkipWithError("no counts");
  }
}

BENCHMARK(read_history)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(read_variances)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(list_runs_page)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(evidence_of_a_run)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(metrics)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(upload_processes)->Arg(1)->Arg(16)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kernelgate::db

BENCHMARK_MAIN();

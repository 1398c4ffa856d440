// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/history and /history/columns of a benchmark with 10,000 points, from the handler's call to the text of
// its answer: reading the store, changes of level, creep, JSON.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <vector>

#include "core/history/bench_history.hpp"
#include "core/units/digest.hpp"
#include "server/api/context.hpp"
#include "server/api/endpoints.hpp"
#include "tests/support/history_fixture.hpp"

namespace kernelgate::browse {
namespace {

std::vector<double> long_times(std::size_t points) {
  std::vector<double> out = history::long_history(points);
  for (double& time : out) time = 1e6 * std::exp(time);
  return out;
}

class Store {
 public:
  explicit Store(std::size_t points)
      : file_(std::filesystem::temp_directory_path() / ("kg-bench-" + random_hex(6) + ".db")),
        database(std::move(db::Database::open(file_)).value()) {
    if (!fill_history(*database, "kernels", long_times(points))) std::abort();
  }
  ~Store() {
    database.reset();
    std::error_code ignored;
    for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(file_.string() + suffix, ignored);
  }

 private:
  std::filesystem::path file_;

 public:
  std::unique_ptr<db::Database> database;
};

template <class Get>
void ask(benchmark::State& state, Get get) {
  const Store store(static_cast<std::size_t>(state.range(0)));
  SystemClock clock;
  api::Context context{*store.database, clock, {}, {}};
  http::Request request;
  request.query = {{"repository", "kernels"}, {"suite", "gemm"}, {"benchmark", "gemm/64"}};
  std::size_t bytes = 0;
  for (auto _ : state) {
    const auto answer = get(context, request);
    if (!answer) return state.SkipWithError(answer.error().what.c_str());
    bytes = std::get<http::Response>(*answer).body.size();
  }
  state.counters["bytes"] = static_cast<double>(bytes);
}

void sizes(benchmark::internal::Benchmark* one) {
  one->Arg(100)->Arg(1000)->Arg(10000)->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);
}
void BM_GetHistory(benchmark::State& state) { ask(state, api::get_history); }
void BM_GetHistoryColumns(benchmark::State& state) { ask(state, api::get_history_columns); }
BENCHMARK(BM_GetHistory)->Apply(sizes);
BENCHMARK(BM_GetHistoryColumns)->Apply(sizes);

}  // namespace
}  // namespace kernelgate::browse

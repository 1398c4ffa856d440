// SPDX-License-Identifier: Apache-2.0
// Samples a second that a store takes through HTTP, durably, and the floor under it: the same rows by a bare loop over
// the same schema, one transaction an upload. Arguments: benchmarks, samples of each. Not part of any test; run:
// kg_ingest_bench --benchmark_repetitions=5 --benchmark_enable_random_interleaving=true
#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>

#include "core/units/digest.hpp"
#include "core/wire/codec.hpp"
#include "db/accounts/tokens.hpp"
#include "db/store/database.hpp"
#include "platform/http/http_caller.hpp"
#include "server/api/service.hpp"

namespace kernelgate::api {
namespace {

constexpr const char* kToken = "kg_bench";

struct Lease {
  std::int64_t run = 0;
  std::string lease;
};

// A server of its own on the loopback interface, with one claimed run.
class Served {
 public:
  Served() : folder_(std::filesystem::temp_directory_path() / ("kernelgate-ingest-" + random_hex(8))) {
    std::filesystem::create_directory(folder_);
    database_ = db::Database::open(store()).value();
    for (const Role role : {Role::admin, Role::runner})
      (void)database_->write([&](db::Connection& connection) {
        return db::add_token(connection, std::string(to_string(role)),
                             sha256_hex(std::string(kToken) + std::string(to_string(role))), role, clock_.now());
      });
    service_ = std::make_unique<Service>(*database_, clock_, Settings{});
    server_ = http::Server::listen({.stop_on_signals = false, .access_log = false}, service_->app()).value();
    service_->attach(*server_, std::chrono::seconds(1));
    thread_ = std::thread([this] { server_->run(); });
    claim();
  }
  ~Served() {
    server_->stop();
    thread_.join();
    database_->stop();
    server_.reset();
    service_.reset();
    database_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  Result<HttpResponse> post(Role role, const std::string& target, std::string body) {
    return caller_.call({.method = "POST",
                         .url = "http://127.0.0.1:" + std::to_string(server_->port()) + "/api/v1/" + target,
                         .body = std::move(body),
                         .token = kToken + std::string(to_string(role))},
                        {});
  }
  [[nodiscard]] const Lease& lease() const { return lease_; }
  [[nodiscard]] std::filesystem::path store() const { return folder_ / "store.sqlite"; }

 private:
  void claim() {
    (void)post(Role::admin, "repositories", R"({"name":"kernels","url":"/srv/git/kernels.git"})");
    (void)post(Role::admin, "triggers",
               R"({"repository":"kernels","source":"cli","commit":")" + std::string(40, 'a') +
                   R"(","branch":"main","base":{"kind":"first_parent"}})");
    wire::ClaimRequest wanted{.runner = "r1", .testbed = {}};
    wanted.testbed.name = "bench";
    const auto reply = post(Role::runner, "runner/claim", wire::encode(wanted));
    const auto got = wire::decode<wire::Claim>(reply.value().body);
    lease_ = {got.value().run, got->lease};
  }

  SystemClock clock_;
  std::filesystem::path folder_;
  std::unique_ptr<db::Database> database_;
  std::unique_ptr<Service> service_;
  std::unique_ptr<http::Server> server_;
  std::thread thread_;
  HttpCaller caller_;
  Lease lease_;
};

std::string process_id() { return random_hex(16); }

Process make_process(int benchmarks, int samples) {
  Process process;
  process.id = process_id();
  process.suite = "gemm";
  process.side = Side::head;
  process.state_json = "{}";
  for (int b = 0; b < benchmarks; ++b) {
    Series series;
    series.benchmark = "gemm/sizes/" + std::to_string(b) + "/real_time";
    for (int s = 0; s < samples; ++s) series.samples_ns.push_back(1000.0 + 10.0 / (1 + b + s));
    process.series.push_back(std::move(series));
  }
  return process;
}

void through_http(benchmark::State& state) {
  Served served;
  const int benchmarks = static_cast<int>(state.range(0)), samples = static_cast<int>(state.range(1));
  wire::ProcessUpload upload{.lease = served.lease().lease, .processes = {make_process(benchmarks, samples)}};
  const std::string target = "runner/runs/" + std::to_string(served.lease().run) + "/processes";
  for (auto _ : state) {
    state.PauseTiming();
    upload.processes.front().id = process_id();
    std::string body = wire::encode(upload);
    state.ResumeTiming();
    const auto stored = served.post(Role::runner, target, std::move(body));
    if (!stored || stored->status != 200) {
      state.SkipWithError(stored ? stored->body.c_str() : stored.error().what.c_str());
      break;
    }
  }
  state.SetItemsProcessed(state.iterations() * benchmarks * samples);
}

struct CloseStore {
  void operator()(sqlite3* handle) const noexcept { sqlite3_close(handle); }
};
struct Finalize {
  void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
};
using Bare = std::unique_ptr<sqlite3, CloseStore>;
using BareStatement = std::unique_ptr<sqlite3_stmt, Finalize>;

BareStatement prepared(const Bare& store, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(store.get(), sql, -1, &statement, nullptr);
  return BareStatement(statement);
}

void insert_bare(const Bare& store, sqlite3_stmt* process_row, sqlite3_stmt* series_row, const Process& process) {
  sqlite3_exec(store.get(), "BEGIN IMMEDIATE", nullptr, nullptr, nullptr);
  const std::string id = process_id();
  sqlite3_bind_text(process_row, 1, id.c_str(), -1, SQLITE_STATIC);
  sqlite3_step(process_row);
  sqlite3_reset(process_row);
  const sqlite3_int64 row = sqlite3_last_insert_rowid(store.get());
  for (std::size_t i = 0; i < process.series.size(); ++i) {
    const auto bytes = std::as_bytes(std::span(process.series[i].samples_ns));
    sqlite3_bind_int64(series_row, 1, row);
    sqlite3_bind_int64(series_row, 2, static_cast<sqlite3_int64>(i));
    sqlite3_bind_int64(series_row, 3, static_cast<sqlite3_int64>(process.series[i].samples_ns.size()));
    sqlite3_bind_double(series_row, 4, process.series[i].samples_ns.front());
    sqlite3_bind_blob(series_row, 5, bytes.data(), static_cast<int>(bytes.size()), SQLITE_STATIC);
    sqlite3_step(series_row);
    sqlite3_reset(series_row);
  }
  sqlite3_exec(store.get(), "COMMIT", nullptr, nullptr, nullptr);
}

void bare_loop(benchmark::State& state) {
  Served served;  // its file, with the run; the server does nothing meanwhile
  const int benchmarks = static_cast<int>(state.range(0)), samples = static_cast<int>(state.range(1));
  const Process process = make_process(benchmarks, samples);
  sqlite3* handle = nullptr;
  sqlite3_open(served.store().c_str(), &handle);
  const Bare store(handle);
  sqlite3_busy_timeout(handle, 5000);  // the server looks at its leases beside this
  sqlite3_exec(handle, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON", nullptr, nullptr,
               nullptr);
  for (int b = 0; b < benchmarks; ++b)
    sqlite3_exec(handle,
                 ("INSERT INTO benchmarks (id, repository_id, suite, name) VALUES (" + std::to_string(b + 1) +
                  ", 1, 'gemm', '" + std::to_string(b) + "')")
                     .c_str(),
                 nullptr, nullptr, nullptr);
  const BareStatement process_row = prepared(
      store,
      "INSERT INTO processes (run_id, process_id, generation, suite, side, round, pair, attempt, position, disturbed, "
      "disturbance, started_at, wall_s, gpu_s, ending, exit_code, signal, text, device_state, stored_at) VALUES (1, ?, "
      "1, 'gemm', 'head', 0, 0, 0, 0, 0, '', 0, 0, 0, 'ok', 0, 0, '', '{}', 0)");
  const BareStatement series_row = prepared(
      store,
      "INSERT INTO series (process_id, position, benchmark_id, sample_count, median_ns, samples, error, counters, "
      "configuration) VALUES (?1, ?2, ?2 + 1, ?3, ?4, ?5, '', '{}', '')");
  for (auto _ : state) insert_bare(store, process_row.get(), series_row.get(), process);
  sqlite3_int64 rows = 0;
  {
    const BareStatement count = prepared(store, "SELECT count(*) FROM series");
    if (sqlite3_step(count.get()) == SQLITE_ROW) rows = sqlite3_column_int64(count.get(), 0);
  }
  if (rows < state.iterations() * benchmarks) state.SkipWithError(sqlite3_errmsg(handle));
  state.SetItemsProcessed(state.iterations() * benchmarks * samples);
}

void sizes(benchmark::internal::Benchmark* bench) {
  for (const auto& size : {std::pair{20, 10}, std::pair{500, 10}, std::pair{500, 100}})
    bench->Args({size.first, size.second});
  bench->UseRealTime()->Unit(benchmark::kMillisecond);
}

BENCHMARK(through_http)->Apply(sizes);
BENCHMARK(bare_loop)->Apply(sizes);

}  // namespace
}  // namespace kernelgate::api

// SPDX-License-Identifier: Apache-2.0
#include "kernels/bench/suite.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <utility>

#include "kernels/bench/arguments.hpp"
#include "kernels/bench/prepared.hpp"

namespace kernels::bench {
namespace {

std::string describe(const LaunchShape& shape) {
  char text[160];
  std::snprintf(text, sizeof text, "grid %ux%ux%u block %ux%ux%u smem %zu", shape.grid.x, shape.grid.y, shape.grid.z,
                shape.block.x, shape.block.y, shape.block.z, shape.shared_bytes);
  return text;
}

double product(const dim3& size) { return static_cast<double>(size.x) * size.y * size.z; }

bool is_stated(const LaunchShape& shape) { return product(shape.block) > 0; }

struct Totals {
  double ms = 0, calls = 0, cycles = 0, ns = 0;
};

void set_counters(benchmark::State& state, const Case& what, const Prepared& prepared, const Device& device,
                  const Totals& totals) {
  const double seconds = totals.ms / 1e3 / std::max(totals.calls, 1.0);
  auto& counters = state.counters;
  counters["flops"] = what.flops;
  counters[std::string("flops_") + to_string(what.rate)] = what.flops;
  counters["bytes"] = what.bytes;
  counters["footprint_bytes"] = static_cast<double>(prepared.footprint_bytes());
  counters["cold"] = what.cache == Cache::cold;
  counters["batch"] = prepared.calls();
  if (const auto& errors = prepared.errors()) {
    counters["max_abs_err"] = errors->max_abs;
    counters["rel_err"] = errors->rel;
  }
  const LaunchShape& shape = prepared.work().shape;
  if (is_stated(shape)) {
    counters["grid"] = product(shape.grid);
    counters["block"] = product(shape.block);
    counters["smem"] = static_cast<double>(shape.shared_bytes);
  }
  counters["clock64"] = totals.cycles / std::max(totals.calls, 1.0);
  counters["globaltimer_ns"] = totals.ns / std::max(totals.calls, 1.0);
  if (totals.ns > 0) counters["sm_mhz"] = 1e3 * totals.cycles / totals.ns;
  if (device.sheet) {
    const bool dram = what.cache == Cache::cold && prepared.footprint_bytes() > device.l2_bytes;
    counters["percent_of_peak"] = percent_of_peak(*device.sheet, what.rate, what.flops, what.bytes, dram, seconds);
  }
  const std::string& configuration = prepared.work().configuration;
  std::string label = is_stated(shape) ? describe(shape) : "";
  if (!configuration.empty()) label += (label.empty() ? "configuration=" : " configuration=") + configuration;
  state.SetLabel(label);
}

// Keeps the case that runs at present; Google Benchmark calls once for each repetition.
class Runner {
 public:
  explicit Runner(Configurations pinned) { bench_.pinned = std::move(pinned); }

  void run(benchmark::State& state, const Case& what) {
    if (current_ == &what && !error_.empty()) return state.SkipWithError(error_.c_str());  // a later repetition
    try {
      Prepared& ready = prepared_for(what);
      Totals totals;
      while (state.KeepRunningBatch(ready.calls())) {
        const Prepared::Batch batch = ready.run();
        state.SetIterationTime(batch.ms / 1e3);
        totals.ms += batch.ms;
        totals.calls += ready.calls();
        totals.cycles += batch.span.cycles;
        totals.ns += batch.span.ns;
      }
      set_counters(state, what, ready, bench_.device, totals);
    } catch (const std::exception& error) {
      fail(what, error.what());
      state.SkipWithError(error_.c_str());
    }
  }

  [[nodiscard]] const Device& device() const { return bench_.device; }

 private:
  Prepared& prepared_for(const Case& what) {
    if (!prepared_ || current_ != &what) {
      prepared_.reset();  // frees the operands of the case before
      current_ = &what;
      error_.clear();
      if (!lost_.empty()) throw std::runtime_error(lost_);
      prepared_ = std::make_unique<Prepared>(bench_, what);
    }
    return *prepared_;
  }

  // Says where the error was first seen: a sticky one comes back from every later call.
  void fail(const Case& what, const std::string& error) {
    prepared_.reset();
    error_ = error;
    if (lost_.empty() && cudaDeviceSynchronize() != cudaSuccess)
      lost_ = "this process cannot use the GPU since " + full_name(what.name, what.cache) + ": " + error;
  }

  Bench bench_;
  std::string error_;  // of the current case
  std::string lost_;   // why no case can run any more
  const Case* current_ = nullptr;
  std::unique_ptr<Prepared> prepared_;
};

}  // namespace

int run_suite(int count, char** arguments, std::vector<Case> cases) {
  const bool listing = wants_list(count, arguments);
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 1;
  std::unique_ptr<Runner> runner;
  if (!listing) {
    Configurations pinned;
    try {
      if (const char* given = std::getenv(kConfigurationsVariable)) pinned = configurations_of(given);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 1;
    }
    if (const std::string reason = no_device_reason(); !reason.empty()) {
      std::fprintf(stderr, "%s\n", reason.c_str());
      return kNoDeviceExit;
    }
    try {
      runner = std::make_unique<Runner>(std::move(pinned));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "the GPU does not work: %s\n", error.what());
      return kBrokenDeviceExit;
    }
    benchmark::AddCustomContext("timing_kit", kKitVersion);
    benchmark::AddCustomContext("seed", std::to_string(kSeed));
    benchmark::AddCustomContext("device", runner->device().name);
    benchmark::AddCustomContext("l2_bytes", std::to_string(runner->device().l2_bytes));
  }
  for (const Case& what : cases)
    benchmark::RegisterBenchmark(full_name(what.name, what.cache).c_str(),
                                 [&](benchmark::State& state) { runner->run(state, what); })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace kernels::bench

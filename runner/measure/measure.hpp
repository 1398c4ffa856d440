// SPDX-License-Identifier: Apache-2.0
#pragma once

// Times one suite in pairs until the decision is made (docs/DECISION_RULE.md). Fills processes, failures and lists of
// a SuiteEvidence; judges nothing itself. Every benchmark asked for ends with samples, with a failure, or is taken off
// its side's list because the suite did not run it. One thread; blocks.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/decision/decide.hpp"
#include "runner/measure/disturbance.hpp"
#include "runner/measure/start.hpp"

namespace kernelgate {

struct MeasuredSide {
  SuiteSide side;
  Listing listing;  // as list_benchmarks found it; a failed listing fails every benchmark of the side
};

struct MeasureRequest {
  SuiteSetup setup;
  std::optional<MeasuredSide> base, head;
  Policy policy;
  std::vector<StoredVariance> stored;
  int alone = 1;  // processes for what only head has; more in a session of a baseline
  std::uint64_t seed = 0;
  ClockKind clock = ClockKind::host;     // whose times are taken
  std::filesystem::path device_clock{};  // libkernelgate_device_clock.so; needed where `clock` is not the host's
};

struct MeasureHooks {
  std::function<Status(const Process&)> process_ended;  // an error ends the measuring
  std::function<void(const std::string&)> progress;     // "gemm: pair 3 of 16, 4 benchmarks open"
};

// `order` counts the processes of the run and goes on from suite to suite. `notices` gets what the reader should know.
// An error is ours or a stop: what was measured until then stays in `evidence`.
[[nodiscard]] Status measure_suite(const MeasureRequest& request, SuiteEvidence& evidence, int& order,
                                   std::vector<std::string>& notices, DisturbanceProbe& probe,
                                   const MeasureHooks& hooks, std::stop_token stop = {});

}  // namespace kernelgate

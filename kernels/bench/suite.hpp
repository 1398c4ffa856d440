// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kit's face: a suite is a list of cases, and `run_suite` is its main(). See README.md for an example.
//
// Times are CUDA events' (Google Benchmark's manual time), per call. One thread, device 0. Errors of CUDA and of the
// arguments become errors of the benchmark, never of the process; one that loses the GPU to the process fails all
// later benchmarks, in words that name the first.

#include <functional>
#include <string>
#include <vector>

#include "kernels/bench/operands.hpp"
#include "kernels/bench/plan.hpp"

namespace kernels::bench {

struct LaunchShape {
  dim3 grid{1}, block{0, 0, 0};  // no threads: not stated
  std::size_t shared_bytes = 0;  // dynamic
};

struct Errors {
  double max_abs = 0;
  double rel = 0;  // ||out - ref|| / ||ref||
};

// What a case does with one set of operands.
struct Work {
  std::function<void(cudaStream_t)> launch = {};  // enqueues the kernel once
  std::function<void(cudaStream_t)> reset = {};   // only for kernels that accumulate: enqueued before each call
  std::function<Errors()> errors = {};            // against an oracle, once per process after one call
  LaunchShape shape = {};                         // stated in the counters, where the case gives it
  std::string configuration = {};                 // of a case that chooses: what it chose, stated in the label
};

struct Case {
  std::string name;  // "/warm" or "/cold" is appended
  Cache cache = Cache::warm;
  double flops = 0, bytes = 0;  // of one call: each operand moved once
  Rate rate = Rate::fp32;
  // A case that chooses takes `Operands::pinned()` where that is not empty; others need not look at it.
  std::function<Work(Operands&)> make;
};

inline constexpr const char* kKitVersion = "2";  // changes when times measured by it could

// Runs what the flags of Google Benchmark ask for. 0, or 1 for a flag that is not known, or kNoDeviceExit; listing the
// benchmarks needs no GPU. kBrokenDeviceExit where not even the kit itself runs on the GPU.
[[nodiscard]] int run_suite(int count, char** arguments, std::vector<Case> cases);

}  // namespace kernels::bench

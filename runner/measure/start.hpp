// SPDX-License-Identifier: Apache-2.0
#pragma once

// One start of one side's suite: as a list of its benchmarks, or as a process that times some of them. What went wrong
// in the suite is part of the answer; an Error is ours (the sandbox did not start, a stop was asked for).

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "core/manifest/manifest.hpp"
#include "core/units/result.hpp"
#include "runner/sandbox/sandbox.hpp"
#include "runner/suite/dialect.hpp"
#include "runner/suite/flags.hpp"

namespace kernelgate {

// A side's built program.
struct SuiteSide {
  std::string line;           // run line, expanded: paths as the program sees them
  std::vector<Mount> mounts;  // source and build, read-only
  std::string before{};       // lines for the shell that come first: its folder and environment
};

struct SuiteSetup {
  const Sandbox* sandbox = nullptr;
  SuiteSpec spec;
  std::vector<int> cpus;                                   // pin the suite to these; empty: not pinned
  bool gpu = false;                                        // pass the device nodes in
  std::vector<std::pair<std::string, std::string>> env{};  // more variables of the program
};

// How a start ended, and why.
struct Ended {
  ProcessEnd end = ProcessEnd::ok;
  int exit_code = 0;
  int signal = 0;
  std::string text;
  double wall_s = 0;
};

struct Listing {
  Ended ended;
  std::vector<std::string> benchmarks;              // empty unless the suite listed them
  suite::MinTime min_time = suite::MinTime::plain;  // the spelling it took
  bool tool_missing = false;                        // the shell found no such command, or the loader no library
};

// Finds the spelling of flags in which versions differ by a trial start: a program that does not know one refuses.
[[nodiscard]] Result<Listing> list_benchmarks(const SuiteSetup& setup, const SuiteSide& side, std::stop_token stop);

struct StartRequest {
  std::vector<std::string> benchmarks;  // empty: all
  suite::RepetitionPlan plan;
  suite::MinTime min_time = suite::MinTime::plain;
};

struct Started {
  Ended ended;
  std::vector<Series> series;                // warm-up dropped; of a process that died, what it had finished
  std::map<std::string, double> longest_ms;  // of one repetition, by benchmark
  std::map<std::string, double> iterations;  // of all repetitions that ended, the dropped ones too; 0: not known
  std::vector<std::string> skipped;          // by the suite itself
};

[[nodiscard]] Result<Started> start_suite(const SuiteSetup& setup, const SuiteSide& side, const StartRequest& request,
                                          std::stop_token stop);

// The verdict that an end stands for when the benchmark failed alone.
[[nodiscard]] Verdict verdict_of(ProcessEnd end);

}  // namespace kernelgate

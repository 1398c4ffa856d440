// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs a suite's check program and says which cases failed and how. A wrong kernel is never timed, so every doubt is a
// failure: a signal, a time-out, an exit code that no line explains, a line that cannot be read.

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "core/units/result.hpp"
#include "platform/process/process.hpp"
#include "runner/sandbox/sandbox.hpp"

namespace kernelgate {

struct CheckRequest {
  std::string suite;
  Side side = Side::head;
  std::string line;  // expanded: paths as the program sees them
  std::vector<Mount> mounts;
  std::chrono::seconds timeout = limits::kSuiteTimeoutDefault;
  bool gpu = false;
};

struct CheckReport {
  std::vector<CheckCase> cases;
  std::vector<CaseFailure> failures;  // broken, crashed or timed_out; empty: passed
  std::string log;                    // what the program wrote, for the reader
  bool tool_missing = false;          // the shell found no such command, or the loader no library
  [[nodiscard]] bool passed() const { return failures.empty(); }
};

// An error means that the program could not be started, or that `stop` was asked for: our fault, not the commit's.
[[nodiscard]] Result<CheckReport> run_check(const Sandbox& sandbox, const CheckRequest& request,
                                            std::stop_token stop = {});

// Base's cases that head's report lacks become failures of head, of the class "missing": head must not switch its own
// check off.
void add_missing_cases(const std::vector<CheckCase>& base, CheckReport& head);

// What an ended check program means. Pure.
[[nodiscard]] CheckReport judge_check(const CheckRequest& request, const ProcessResult& ended);

}  // namespace kernelgate

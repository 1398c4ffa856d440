// SPDX-License-Identifier: Apache-2.0
#pragma once

// What stands now: the server's health and its overview. Members as they are in docs/API.md.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/verdict.hpp"
#include "core/units/strong.hpp"
#include "core/units/time.hpp"
#include "core/wire/messages.hpp"

namespace kernelgate::wire {

struct Health {
  std::string status = "ok";
  int rule_version = 0;
  std::int64_t outbox_pending = 0, outbox_gave_up = 0;
  double outbox_oldest_s = 0;
};

// A finished run whose head is on the default branch, newest first within its repository and testbed.
struct RecentRun {
  std::string repository, testbed;
  RunId run;
  std::string commit, subject;
  Conclusion conclusion = Conclusion::passed;
  Instant finished_at{};
};

// A benchmark that a run of the default branch found slower, in the testbed's present epoch, which nobody accepted or
// set aside, and which the newest run that timed it still finds nearer to the new level than to the old one.
struct OpenRegression {
  std::string repository, testbed, suite, benchmark;
  RunId run;
  std::string commit, subject, author, base_commit;
  Instant found_at{};
  double ratio = 1;
  std::optional<double> ratio_low, ratio_high;
  double tolerate = 0, catch_limit = 0;  // the band it was judged by
};

// Of the newest run of a repository and testbed that reached a verdict on the default branch, if it is broken.
struct BrokenKernel {
  std::string repository, testbed, suite, benchmark;
  Verdict verdict = Verdict::broken;
  std::string reason, fingerprint;
  RunId run;
  std::string commit, subject;
  Instant found_at{};
};

struct RunningRun {
  Run run;
  std::string runner;
  int pairs = 0;                     // both sides of which are stored
  std::optional<double> expected_s;  // median of the last finished ones of the repository
};

// The GPU during the last process that a runner timed.
struct GpuSeen {
  std::optional<double> sm_mhz, temperature_c;  // under load; the highest
  std::vector<int> xid;                         // errors that it reported
  std::vector<std::string> throttled;           // why it slowed itself down
};
// Of a process's state_json; nothing where it has no GPU's figures.
[[nodiscard]] std::optional<GpuSeen> gpu_seen(std::string_view state_json);

struct RunnerSeen {
  std::string name, testbed, gpu_model;
  RunState state = RunState::done;
  std::string progress;
  RunId run;  // the last it took
  Instant started_at{};
  std::optional<GpuSeen> gpu;  // none: a CPU testbed, or nothing was timed
};

struct Spent {
  std::int64_t runs = 0;
  double gpu_s_held = 0, gpu_s_used = 0;
  std::optional<double> cost;  // of the runs with a known price
};

// What the default branch of a repository stands at on a testbed: broken where a kernel is, regressed where a
// regression is open, else what the newest run came to.
struct BranchState {
  std::string repository, testbed;
  Conclusion conclusion = Conclusion::passed;
  std::int64_t regressions = 0, broken = 0;  // open now
};

struct Overview {
  std::vector<BranchState> states;
  std::vector<RecentRun> recent;
  std::vector<OpenRegression> regressions;
  std::vector<BrokenKernel> broken;
  std::vector<RunningRun> running;
  std::vector<RunnerSeen> runners;
  Spent spent;
};

struct FailureSeen {
  RunId run;
  std::string commit, branch, subject, benchmark;
  Verdict verdict = Verdict::broken;
  Instant finished_at{};
};
struct Failures {
  std::vector<FailureSeen> failures;  // newest first
};

}  // namespace kernelgate::wire

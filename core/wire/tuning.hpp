// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tuning report: what was tried, on what, what came of it, what it cost and what was left out; made of the ledger
// alone. Plain structs; codec.hpp turns them into JSON and back.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/wire/attempts.hpp"

namespace kernelgate::wire {

struct TuningSuite {
  std::string name;
  std::vector<std::string> benchmarks;  // that any of the runs compared
  std::vector<std::string> shapes;      // of its checks
};
struct TuningTestbed {
  std::string name, gpu_model, compute_capability, driver, toolkit, host_cpu;
  int runs = 0;
};
// A run of the default branch in the same span: what landed meanwhile.
struct TuningLanded {
  std::int64_t run = 0;
  std::string commit, subject;
  AttemptOutcome outcome = AttemptOutcome::not_measured;
  std::optional<AttemptRatio> best{}, worst{};
};
// One outcome: how many attempts, what they cost.
struct TuningOutcome {
  AttemptOutcome outcome = AttemptOutcome::not_measured;
  int attempts = 0;
  double seconds = 0;  // build, check and measure
  std::optional<double> money{};
};
struct TuningFailure {
  std::string failure;                 // case, class and value
  std::vector<std::int64_t> attempts;  // at least two
};
struct TuningReport {
  std::string repository, branch;   // branch: as asked for; empty: all
  std::string since;                // as asked for; empty: from the beginning
  std::optional<Instant> from, to;  // the first and the last attempt
  std::string objective;
  std::vector<TuningSuite> suites{};
  std::vector<TuningTestbed> testbeds{};
  std::vector<TuningLanded> landed{};  // oldest first
  std::vector<Attempt> attempts{};     // oldest first
  bool is_cut = false;                 // there are more attempts than a report holds: these are the newest
  std::vector<TuningOutcome> outcomes{};
  std::vector<TuningSweep> sweeps{};
  std::vector<TuningFailure> failures{};
  std::vector<std::string> findings{};  // in sentences, the most useful first
  AttemptCost cost{};
  std::vector<std::string> not_tried{};  // in sentences
};

}  // namespace kernelgate::wire

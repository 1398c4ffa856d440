// SPDX-License-Identifier: Apache-2.0
#pragma once

// The ledger of attempts as people read it and write into it, and the tuning report that is made of it. Plain structs;
// codec.hpp turns them into JSON and back. Seconds and money carry their unit in the name.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/decision/evidence/attempt_outcome.hpp"
#include "core/units/time.hpp"

namespace kernelgate::wire {

using kernelgate::to_string;

// A benchmark's ratio of an attempt over its base, with the interval of its comparison.
struct AttemptRatio {
  std::string suite, benchmark;
  double ratio = 1;
  std::optional<double> low{}, high{};
};

// What an attempt cost over all its runs. Building is what is left of the runs' time when the device was not held;
// checking is what is left of the time it was held.
struct AttemptCost {
  double build_s = 0, check_s = 0, measure_s = 0;
  std::optional<double> money{};  // of the seconds that the device was held, where a price is known
};

// The same wrong value or crash, the same change, the same machine code.
enum class Likeness { failure, patch, code };
void spelled_as_named(Likeness);

// Another attempt that is like this one.
struct AlikeAttempt {
  std::int64_t attempt = 0;
  Likeness how = Likeness::failure;
  std::string name;  // branch, point or short commit
  AttemptOutcome outcome = AttemptOutcome::not_tried;
  std::optional<double> ratio{};  // the one that moved it furthest
  std::string failure{};          // case, class and value, where `how` is failure
};

enum class AttemptKind { commit, work_tree, point, idea };
void spelled_as_named(AttemptKind);

struct Attempt {
  std::int64_t id = 0;
  std::string repository;
  AttemptKind kind = AttemptKind::commit;
  std::string branch, commit, subject;
  std::string suite, point;  // of a sweep
  std::string hypothesis, lesson;
  AttemptOutcome outcome = AttemptOutcome::not_tried;
  bool failed = false;                          // it does not work
  std::string detail;                           // why, in words
  std::optional<AttemptRatio> best{}, worst{};  // the fastest and the slowest benchmark
  std::optional<AttemptRatio> shown{};          // that stands for all: of a lost one the slowest, else the fastest
  int timed = 0, improved = 0, regressed = 0;   // benchmarks
  std::optional<double> error_factor{};         // the largest growth of a numerical error
  AttemptCost cost{};
  std::vector<std::int64_t> runs{};     // newest first
  std::vector<std::string> failures{};  // case, class and value of each distinct one
  std::vector<AlikeAttempt> alike{};
  std::vector<std::string> notices{};  // what `alike` says, in sentences
  Instant created_at{};
  std::optional<Instant> tried_at{};  // absent while it has no finished run
};
// Points of one commit and suite, and what those that fail have in common.
struct TuningSweep {
  std::string suite, commit;
  std::int64_t best = 0;  // attempt; 0: none works
  std::string best_point;
  std::vector<std::int64_t> attempts;  // its points
  std::vector<std::string> constraints;
};
struct AttemptPage {
  std::vector<Attempt> attempts;  // newest first
  std::optional<std::string> next{};
  std::vector<TuningSweep> sweeps{};  // of these attempts
};

// Writes into the ledger: about a run's attempt, or (without a run) about something still to be tried.
struct AttemptNote {
  std::string repository;
  std::optional<std::int64_t> run{};
  std::string branch{};                               // of what is still to be tried; its first run takes the note over
  std::optional<std::string> hypothesis{}, lesson{};  // absent: left as it is
};
struct AttemptChange {
  std::optional<std::string> hypothesis{}, lesson{};  // absent: left as it is
};

}  // namespace kernelgate::wire

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The ledger of attempts as people read it and write into it, and the tuning report that is made of it. Plain structs;
// codec.hpp turns them into JSON and back. Instants are ISO 8601 texts; seconds and money carry their unit in the name.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kernelgate::wire {

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

// Another attempt that is like this one.
struct AlikeAttempt {
  std::int64_t attempt = 0;
  std::string how;   // failure: the same wrong value or crash; patch: the same change; code: the same machine code
  std::string name;  // branch, point or short commit
  std::string outcome;
  std::optional<double> ratio{};  // the one that moved it furthest
  std::string failure{};          // case, class and value, where `how` is failure
};

struct Attempt {
  std::int64_t id = 0;
  std::string repository;
  std::string kind;  // commit, work_tree, point, idea
  std::string branch, commit, subject;
  std::string suite, point;  // of a sweep
  std::string hypothesis, lesson;
  std::string outcome;                          // core/ledger/outcome.hpp
  bool failed = false;                          // it does not work
  std::string detail;                           // why, in words
  std::optional<AttemptRatio> best{}, worst{};  // the fastest and the slowest benchmark
  int timed = 0, improved = 0, regressed = 0;   // benchmarks
  std::optional<double> error_factor{};         // the largest growth of a numerical error
  AttemptCost cost{};
  std::vector<std::int64_t> runs{};     // newest first
  std::vector<std::string> failures{};  // case, class and value of each distinct one
  std::vector<AlikeAttempt> alike{};
  std::vector<std::string> notices{};  // what `alike` says, in sentences
  std::string created_at, tried_at;    // tried_at is empty while it has no finished run
};
struct AttemptPage {
  std::vector<Attempt> attempts;  // newest first
  std::optional<std::string> next{};
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Upkeep of a repository's measurements: quarantines, the difference between two commits or baselines, thinning of old
// samples, import of baselines. Plain structs; codec.hpp turns them into JSON and back.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/units/time.hpp"

namespace kernelgate::wire {

struct QuarantineRequest {
  std::string repository, suite, benchmark, reason;
};
struct ReleaseRequest {
  std::string repository, reason;
};
struct QuarantineRecord {
  std::int64_t id = 0;
  std::string suite, benchmark;
  std::optional<std::int64_t> epoch;  // where it holds; absent: in every one
  std::string actor, reason;
  Instant began_at{};
  std::optional<Instant> released_at;
  std::string released_by, released_reason;
  std::string suggestion;  // not empty: why it may be released
};
struct QuarantinePage {
  std::vector<QuarantineRecord> quarantines;
  std::optional<std::string> next;
};

// One side of a difference.
struct DiffSide {
  std::string asked;     // a baseline's name, or a commit or the start of one
  std::string commit;    // that it means
  std::string baseline;  // its name; empty: asked by commit
};
// b over a. `basis`: pairs (both were timed in turn in one run), sessions (of the same epoch, each figure a session's)
// or none; then there is no ratio, and `note` says why.
struct DiffRow {
  std::string suite, benchmark, basis;
  std::int64_t epoch = 0;  // of both; 0: none in common
  std::optional<std::int64_t> run;
  int a_sessions = 0, b_sessions = 0, a_processes = 0, b_processes = 0;
  std::optional<double> a_median_ns, b_median_ns;
  std::optional<double> ratio, ratio_low, ratio_high;
  std::string note;
};
struct BaselineDiff {
  DiffSide a, b;
  std::vector<DiffRow> rows;
  std::vector<std::string> notices;
};

struct PruneRequest {
  int older_than_days = 0;
  bool dry_run = false;
};
struct PruneReply {
  bool dry_run = false;
  std::int64_t runs = 0, series = 0;  // thinned now; with dry_run: that would be
  std::int64_t bytes = 0;             // of samples that this gives back
  std::int64_t kept_runs = 0;         // old enough, but baselines or sessions of baselines
  std::int64_t free_bytes = 0;        // of the file, that the next measurements use before it grows
};

struct ImportReply {
  int baselines = 0, runs = 0;  // new here
  int known = 0;                // baselines that were here before
};

}  // namespace kernelgate::wire

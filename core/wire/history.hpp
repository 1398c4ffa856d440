// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the API says of one benchmark over time (docs/WIRE.md). Points stand oldest first, one a commit, of one epoch:
// times of two epochs are not comparable.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/decision/evidence/verdict.hpp"
#include "core/units/strong.hpp"
#include "core/units/time.hpp"

namespace kernelgate::wire {

struct HistoryPoint {
  std::int64_t run = 0;
  std::string commit;
  Instant finished_at{};
  double median_ns = 0;  // of the medians of head's processes
  double spread_ns = 0;  // largest less smallest of them
  int processes = 0;
  Verdict verdict = Verdict::unchanged;
  Side side = Side::head;                // base: no run had this commit as its head, the figures are those of base
  std::optional<double> anchor_ratio{};  // over the anchored baseline's figure
};

// The level moved between two neighbouring measured commits.
struct HistoryChange {
  std::string commit_before, commit_after;  // the last of the old level, the first of the new one
  std::int64_t run_before = 0, run_after = 0;
  double ratio = 1;
  double p = 1;
  int points_before = 0, points_after = 0;  // of the two levels
};

// The history ends in a slope.
struct HistoryCreep {
  std::string commit_before, commit_after;  // the last of the old level, the first step
  std::int64_t run_before = 0, run_after = 0;
  double ratio = 1;  // of the whole rise or fall
  double ratio_per_commit = 1;
  int commits = 0;
  double p = 1;
};

// The newest point compared with the anchored baseline (a release).
struct HistoryAnchor {
  std::int64_t baseline = 0;
  std::string name, commit;
  double median_ns = 0;
  double ratio = 1;
  std::optional<double> ratio_low, ratio_high;  // 99 %, the spread between sessions included
  std::string spread;                           // where that spread is from: sessions, history, or none
  int spread_count = 0;
  std::string text;  // one sentence for people
};

// The work of one call as the suite stated it at the newest point, and the least time in which the GPU could do it:
// flops / median_ns are GFLOP/s of a point, roof_ns / median_ns its fraction of the roof.
struct HistoryWork {
  double flops = 0, bytes = 0;
  std::optional<double> roof_ns{};  // by rates measured on the GPU; none where they are not known
  std::string roof;                 // what limits: dram, l2, or a data type's unit
};

struct BenchmarkHistory {
  std::string repository, suite, benchmark, branch;
  std::int64_t epoch = 0;            // 0: there is no point
  std::vector<std::int64_t> epochs;  // with points, the newest first
  bool older_left_out = false;       // there are more points than asked for
  std::vector<HistoryPoint> points;
  std::vector<HistoryChange> changes;
  std::optional<HistoryCreep> creep;
  std::optional<HistoryAnchor> anchor;
  std::string anchor_note;            // why there is none although there is an anchored baseline
  std::optional<double> start_ns{};   // the level at its start: the median of its first points
  std::optional<HistoryWork> work{};  // none where the suite states no work
};

// {"history": it without points, "columns": {"run": [...], "commit": [...], ...}}: each member of HistoryPoint but
// anchor_ratio as one array, times to 9 digits. Half the size, and half the time of the whole answer.
[[nodiscard]] std::string encode_columns(BenchmarkHistory history);

// What encode_columns writes: the members of the points, each as one list, oldest first; times to nine digits.
struct HistoryColumns {
  std::vector<std::int64_t> run;
  std::vector<std::string> commit;
  std::vector<Instant> finished_at;
  std::vector<double> median_ns, spread_ns;
  std::vector<int> processes;
  std::vector<Verdict> verdict;
  std::vector<Side> side;
};
struct HistoryInColumns {
  BenchmarkHistory history;  // without points
  HistoryColumns columns;
};

// What one run says of a benchmark; newest first.
struct SeriesPoint {
  RunId run;
  std::string commit, branch;
  std::optional<EpochId> epoch;
  Instant finished_at{};
  double median_ns = 0;  // of the medians of head's processes
  double spread_ns = 0;  // largest less smallest of them
  int processes = 0, samples = 0;
  Verdict verdict = Verdict::added;
  std::optional<double> ratio, ratio_low, ratio_high;
};
struct SeriesPage {
  std::vector<SeriesPoint> points;
  std::optional<std::string> next;
};

struct BenchmarkName {
  std::string suite, benchmark;
  // Medians of the newest points on the default branch, in their newest epoch, oldest first.
  std::vector<double> recent_ns{};
};
struct BenchmarkPage {
  std::vector<BenchmarkName> benchmarks;
  std::optional<std::string> next;  // value of `before` for the next page
};

}  // namespace kernelgate::wire

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The points of a sweep, what came of each, and what the failures have in common. Pure.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/decision/evidence/attempt_outcome.hpp"
#include "core/decision/evidence/comparison.hpp"
#include "core/manifest/manifest.hpp"

namespace kernelgate::local {

struct Point {
  std::map<std::string, std::string> values;  // by axis
  [[nodiscard]] std::string name() const;     // "BLOCK_M=64 STAGES=2"
  [[nodiscard]] std::string defines() const;  // "-DBLOCK_M=64 -DSTAGES=2"
};

// The reference first, the others in the order of the axes' values.
[[nodiscard]] std::vector<Point> points_of(const Sweep& sweep);

struct PointResult {
  Point point;
  AttemptOutcome outcome = AttemptOutcome::not_measured;
  std::string text;               // for people: the first error, the worst benchmark
  bool failed = false;            // it does not work: what constraints are made of
  std::optional<double> ratio{};  // geometric mean over its benchmarks, of this point over the reference
  int benchmarks = 0;             // that have a ratio
  double gpu_s = 0;
  std::int64_t run = 0;  // in the local store
};

[[nodiscard]] PointResult judge_point(const Point& point, const RunDecision& decision);

struct SweepResult {
  std::string suite, commit;
  std::vector<PointResult> points;  // the reference first
  std::string best;                 // name of the fastest point that works
  std::vector<std::string> constraints;
};

// Names the best point and the constraints: "every BLOCK_M other than 64 fails (4 points: misaligned address)".
void conclude_sweep(SweepResult& sweep);

}  // namespace kernelgate::local

// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a benchmark is batched: arithmetic alone, no CUDA, so that it is tested on any machine.
//
// Which mode is taken depends on what the caller declared and on sizes, never on a measured time: two builds of one
// kernel are always measured in the same mode.

#include <cstddef>
#include <string>
#include <vector>

namespace kernels::bench {

enum class Cache { warm, cold };

// graph: calls in a row within one CUDA graph. flushed: one call at a time, the cache flushed before each.
enum class Mode { graph, flushed };

inline constexpr double kBatchMs = 0.55;  // a batch is at least 0.5 ms long; the rest is for the estimate's error
inline constexpr double kShortestMs = 0.5;
inline constexpr int kColdFactor = 3;  // rotated operands add up to this many times the L2
inline constexpr int kSetsMax = 2048;
inline constexpr int kWarmSetsMax = 8;
inline constexpr int kPlacements = 9;  // as many as a runner keeps of a process's repetitions
inline constexpr int kCallsMax = 8192;
inline constexpr int kWarmUps = 3;

struct Rotation {
  Mode mode = Mode::graph;
  int sets = 1;        // copies of the operands, used in turn within a batch
  int placements = 1;  // groups of so many copies, used in turn by batches
};

// Warm operands that the L2 holds are averaged over places in memory: which slices of the L2 they fall on is chance for
// each process, and worth some per cent to a short kernel. A batch's copies fill at most half the L2.
// Throws std::invalid_argument where cold operands are too small to be rotated through the L2.
[[nodiscard]] Rotation rotation_for(Cache cache, std::size_t footprint_bytes, std::size_t l2_bytes);

// Calls in one batch: at least `kBatchMs` of them, and each set equally often.
[[nodiscard]] int calls_for(double call_ms, int sets);

// Time of the kernel alone where the batch also held resets; never below zero.
[[nodiscard]] double without_reset(double batch_ms, double reset_ms);

[[nodiscard]] double median(std::vector<double> values);

// The names end in the state of the cache: "copy/4MiB" becomes "copy/4MiB/cold".
[[nodiscard]] std::string full_name(const std::string& name, Cache cache);
// As results name it: Google Benchmark appends which clock was used.
[[nodiscard]] std::string result_name(const std::string& name, Cache cache);

}  // namespace kernels::bench

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What one process of a suite said of its benchmarks, whatever the format it was written in. Pure data.

#include <cstddef>
#include <string>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "core/manifest/manifest.hpp"

namespace kernelgate::suite {

struct ReadOptions {
  TimeSource time = TimeSource::real;  // manual time is reported as real time by Google Benchmark
  bool from_stdout = false;            // text before and after the JSON object is ignored
  bool partial = false;                // of a program that died: benchmarks whose repetitions are all there
};

// How a benchmark was repeated; parallel to SuiteResult::series.
struct Repetition {
  int repetitions = 1;    // as the suite says it planned
  double longest_ms = 0;  // iterations times time of the longest repetition
  double iterations = 0;  // of all repetitions; 0: the format does not say
};

// A benchmark that the suite itself skipped: neither timed nor wrong.
struct Skipped {
  std::string benchmark;
  std::string message;
};

struct SuiteResult {
  std::vector<Series> series;  // in the order of the file, each name once
  std::vector<Repetition> repetition;
  std::vector<Skipped> skipped;
};

// Removes the first `count` samples; all of them when there are no more than that.
void drop_first(Series& series, std::size_t count);

}  // namespace kernelgate::suite

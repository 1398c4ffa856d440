// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads the JSON of Google Benchmark 1.5 to 1.9 into Series. Pure: text in, values out.
// Only rows of single repetitions count; aggregates are ignored. What concerns one benchmark alone
// (its own error, a time of zero, aggregates only) becomes that Series' error; what spoils the
// whole text is an Error.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence.hpp"
#include "core/manifest/manifest.hpp"
#include "core/units/result.hpp"

namespace kernelgate::suite {

struct ReadOptions {
  TimeSource time = TimeSource::real;  // manual time is reported as real time by the library
  bool from_stdout = false;            // text before and after the JSON object is ignored
  bool partial = false;                // of a program that died: benchmarks whose repetitions are all there
};

// How a benchmark was repeated; parallel to SuiteResult::series.
struct Repetition {
  int repetitions = 1;    // as the suite says it planned
  double longest_ms = 0;  // iterations times time of the longest repetition
};

// A benchmark that the suite itself skipped (SkipWithMessage): neither timed nor wrong.
struct Skipped {
  std::string benchmark;
  std::string message;
};

struct SuiteResult {
  std::vector<Series> series;  // in the order of the file, each name once
  std::vector<Repetition> repetition;
  std::vector<Skipped> skipped;
};

// `origin` names the text in errors. Errors: invalid (no benchmark, aggregates only), corrupt (not
// or half a JSON), too_large (more benchmarks, samples or longer names than limits.hpp allows).
[[nodiscard]] Result<SuiteResult> read_google_benchmark(std::string_view json, const ReadOptions& options,
                                                        const std::string& origin);

// Removes the first `count` samples; all of them when there are no more than that.
void drop_first(Series& series, std::size_t count);

// The names printed by --benchmark_list_tests, each once, in order.
[[nodiscard]] Result<std::vector<std::string>> read_benchmark_list(std::string_view stdout_text,
                                                                   const std::string& origin);

}  // namespace kernelgate::suite

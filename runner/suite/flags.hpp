// SPDX-License-Identifier: Apache-2.0
#pragma once

// The command-line flags of one start of a Google Benchmark suite, in the words that its version
// knows. Pure.
//
// Warm-up works with every version: more repetitions are asked for than are kept, and the first
// ones are dropped
// (--benchmark_min_warmup_time exists only from 1.7 on).

#include <cstddef>
#include <string>
#include <vector>

namespace kernelgate::suite {

// 1.7 and older know only a plain number of seconds; newer ones also "0.01s"; some programs know
// neither.
enum class MinTime { plain, suffixed, absent };

struct StartFlags {
  std::vector<std::string> benchmarks;  // empty: all of them
  int repetitions = 1;
  double sample_ms = 0.5;  // least length of a repetition
  MinTime min_time = MinTime::plain;
  std::string out;  // path that the result is written to
};

[[nodiscard]] std::vector<std::string> start_flags(const StartFlags& start);

// Lists the benchmarks; carries --benchmark_min_time so that a spelling the program refuses is
// noticed.
[[nodiscard]] std::vector<std::string> list_flags(MinTime min_time, double sample_ms);

// One POSIX extended regular expression that matches exactly the given names: ^(a|b)$ with specials
// escaped.
[[nodiscard]] std::string exact_filter(const std::vector<std::string>& benchmarks);

// Cuts a list so that each part's filter stays under the limits of one argument and of the
// library's regex engine.
[[nodiscard]] std::vector<std::vector<std::string>> split_for_filter(const std::vector<std::string>& benchmarks);

// How many repetitions are asked for and how many of them are dropped.
struct RepetitionPlan {
  int dropped = 3;
  int timed = 9;
  [[nodiscard]] int total() const { return dropped + timed; }
};

// At least 3 dropped repetitions a benchmark and about 50 ms a process; 9 timed ones, 5 where one
// takes over 50 ms.
[[nodiscard]] RepetitionPlan plan_repetitions(double sample_ms, std::size_t benchmarks, double longest_ms);

}  // namespace kernelgate::suite

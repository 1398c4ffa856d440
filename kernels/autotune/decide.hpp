// SPDX-License-Identifier: Apache-2.0
#pragma once

// Chooses the fastest of several candidates by measuring them. What a measurement is, is handed in, so that the rule is
// tested without a GPU. Pure beside that; not thread-safe.

#include <functional>
#include <string>
#include <vector>

namespace kernels::autotune {

// One way to do the work: a variant and its parameters. Candidates stand in the order of their predicted times, which
// decides where measuring does not.
struct Candidate {
  std::string configuration;
  double predicted_us = 0;
};

// A candidate made ready. `rough_us` is what a first look at it says; `sample` gives one sample of a call's time.
struct Ready {
  double rough_us = 0;
  std::function<double()> sample;
};
using Prepare = std::function<Ready(std::size_t candidate)>;  // both this and a sample may throw

inline constexpr double kEqual = 0.01;    // candidates this near are one: the one predicted faster is taken
inline constexpr double kHopeless = 3;    // a first look this many times the best one's ends a candidate
inline constexpr double kClearly = 1.25;  // and this after kRoundsFew
inline constexpr int kRoundsFew = 2, kRoundsMin = 5, kRoundsMax = 25;
inline constexpr std::size_t kCandidatesMax = 64;

enum class Fate { chosen, equal, slower, hopeless, failed, not_tried };

struct Row {
  Candidate candidate;
  Fate fate = Fate::not_tried;
  double median_us = 0;  // of its samples; of a hopeless one the first look
  double spread = 0;     // half the range of the middle half of its samples, as a part of the median
  int samples = 0;
  std::string reason;
};

enum class Source { measured, remembered, pinned };

struct Decision {
  std::string problem, configuration;
  Source source = Source::measured;
  double us = 0;          // median of the configuration when it was chosen; 0 where it was pinned
  std::vector<Row> rows;  // empty where nothing was measured
};

// Candidates are measured in turn, round by round. One leaves when it fails, is clearly slower or is told apart from
// the fastest; the others go on until they are equal to it or the rounds end. The choice's median is at most kEqual
// above the fastest candidate's. Throws std::runtime_error where every candidate fails.
[[nodiscard]] Decision decide(std::string problem, const std::vector<Candidate>& candidates, const Prepare& prepare);

// A table: candidate, predicted and measured time, spread, and what became of it.
[[nodiscard]] std::string to_text(const Decision& decision);

}  // namespace kernels::autotune

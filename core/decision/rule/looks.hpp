// SPDX-License-Identifier: Apache-2.0
#pragma once

// The sequential rule for one benchmark: when to look, and what a look at the first n pair
// differences says. d = log(head) - log(base) of a pair. Steps 3 and 4 of docs/DECISION_RULE.md;
// nothing here knows of processes.

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/policy.hpp"
#include "core/decision/evidence/verdict.hpp"
#include "core/decision/rule/stored_noise.hpp"

namespace kernelgate {

inline constexpr double kEqualTail = 0.005;         // one side of `unchanged` and of the interval shown
inline constexpr double kAlarmTail = 0.001;         // of `regressed` and `improved`, at each look
inline constexpr double kAloneShare = 0.3;          // of it without stored comparisons, where correlation stays unseen
inline constexpr double kTodayTail = 0.005;         // of an alarm by today's pairs alone, beside a stored variance
inline constexpr double kStaleVarianceTail = 0.01;  // of the F test that drops a stored variance

// The band in logarithms, and the tail spent at each look.
struct Band {
  double tolerate = 0;
  double catch_limit = 0;
  double suspect = 0;  // midpoint of the two
  double alarm_tail = kAlarmTail;
};
// `timed` benchmarks share a suite's alarms: beyond 100 of them each look spends .1 / timed.
[[nodiscard]] Band band_of(const Policy& policy, std::size_t timed);

// Even numbers of pairs at which to look, ascending. The last is the largest even number <=
// max_pairs.
[[nodiscard]] std::vector<int> look_schedule(int max_pairs, bool has_stored);

// Quantiles of t and F, each computed once: a suite of 2,000 benchmarks asks for the same dozen. Degrees are rounded
// down to halves. Not for sharing between threads.
class Quantiles {
 public:
  double t(double tail, double degrees);          // upper tail
  double f_stale(int degrees, double of_stored);  // F(.99; degrees, of_stored)

 private:
  std::map<std::pair<double, double>, double> t_, f_;
};

// What is known of a benchmark's noise before its pairs are looked at.
struct KnownNoise {
  std::optional<StoredVariance> stored{};
  double clock = 0;  // variance of a pair that the clock's step alone gives: no spread is less
};

// Differences with single far ones drawn in to 3.5 robust standard deviations of the median. More than a quarter (a
// fifth without a stored variance) are no outliers but a second mode: then nothing is drawn in.
[[nodiscard]] std::vector<double> without_outliers(std::span<const double> d, const KnownNoise& known);

// What a look at all of `d` says; at least 2 values. An alarm also stands on today's spread alone where that is wider
// than with the stored variance: head's noise may have grown.
struct Judged {
  Look look;
  Severity severity = Severity::none;
  double half_width = 0;  // t(.995) x se
};
[[nodiscard]] Judged judge(std::span<const double> d, const KnownNoise& known, const Band& band, Quantiles& quantiles);

// All looks of one round, up to the one that decided.
struct Sequence {
  std::vector<Look> looks{};
  Verdict verdict = Verdict::undecided;  // regressed, improved, unchanged, undecided or suspected
  Severity severity = Severity::none;
  int pairs = 0;          // what the verdict and its figures rest on
  bool finished = false;  // decided, or the last look is past: no further pair would be taken
};
[[nodiscard]] Sequence judge_sequence(std::span<const double> d, std::span<const int> schedule, const KnownNoise& known,
                                      const Band& band, Quantiles& quantiles);

}  // namespace kernelgate

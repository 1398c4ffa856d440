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

namespace kernelgate {

inline constexpr int kStoredDegrees = 15;           // what a stored variance counts for, and needs at least
inline constexpr double kEqualTail = 0.005;         // one side of `unchanged` and of the interval shown
inline constexpr double kAlarmTail = 0.001;         // of `regressed` and `improved`, at each look
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

// Quantiles of t and F, each computed once: a suite of 2,000 benchmarks asks for the same dozen.
// Not for sharing between threads.
class Quantiles {
 public:
  double t(double tail, double degrees);  // upper tail
  double f_stale(int degrees);            // F(.99; degrees, 15)

 private:
  std::map<std::pair<double, double>, double> t_;
  std::map<int, double> f_;
};

// What a look at all of `d` says; at least 2 values.
struct Judged {
  Look look;
  Severity severity = Severity::none;
  double half_width = 0;  // t(.995) x se
};
[[nodiscard]] Judged judge(std::span<const double> d, std::optional<double> stored, const Band& band,
                           Quantiles& quantiles);

// All looks of one round, up to the one that decided.
struct Sequence {
  std::vector<Look> looks{};
  Verdict verdict = Verdict::undecided;  // regressed, improved, unchanged, undecided or suspected
  Severity severity = Severity::none;
  int pairs = 0;          // what the verdict and its figures rest on
  bool finished = false;  // decided, or the last look is past: no further pair would be taken
};
[[nodiscard]] Sequence judge_sequence(std::span<const double> d, std::span<const int> schedule,
                                      std::optional<double> stored, const Band& band, Quantiles& quantiles);

}  // namespace kernelgate

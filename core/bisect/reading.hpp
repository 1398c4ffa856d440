// SPDX-License-Identifier: Apache-2.0
#pragma once

// What one run says to a bisection: how its head differs from its base in the benchmark that is looked for. Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/units/enum_words.hpp"

namespace kernelgate::bisect {

using kernelgate::to_string;

enum class Aim { regressed, broken };  // broken: also crashed, timed out and invalid
void spelled_as_named(Aim);

struct Target {
  Aim aim = Aim::regressed;
  std::string suite;      // empty: any
  std::string benchmark;  // empty: any failure of the suite, for Aim::broken alone
};

enum class ReadingKind {
  timed,     // a ratio
  same,      // head is proven to be what base is, or it works
  failing,   // head has the failure
  unusable,  // of this commit nothing can be said: it does not build, or does not get as far as the benchmark
  trouble,   // our fault or the machine's: says nothing of the commit, worth another try
};
void spelled_as_named(ReadingKind);

struct Reading {
  ReadingKind kind = ReadingKind::trouble;
  double mean = 0;        // log ratio of head over base
  double half_width = 0;  // of its 99 % interval
  bool slower = false;    // proven by the rule
  bool settled = false;   // the rule says unchanged or improved
  std::string why;        // where it is neither timed nor same
};

// The end of a run, as the store or a local run knows it. No conclusion: it was cancelled.
struct RunEnd {
  std::optional<Conclusion> conclusion;
  std::string reason;
  std::string base;    // full hash that head was compared with
  std::string wanted;  // and that was asked for
  std::vector<Comparison> comparisons;
};
[[nodiscard]] Reading read_run(const Target& target, const RunEnd& run);

}  // namespace kernelgate::bisect

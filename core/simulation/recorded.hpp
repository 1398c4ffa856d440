// SPDX-License-Identifier: Apache-2.0
#pragma once

// Decision rules on recorded processes of a real device, where the work was changed by a known amount: what each would
// have said, compared with the ratio that all rounds together measured. Pure; commands/simulate reads the files.

#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/policy.hpp"
#include "core/decision/evidence/verdict.hpp"

namespace kernelgate::simulation {

inline constexpr int kRoundsMin = 12;

// One process: a kernel as one variant ("base", "aa" for the same code again, or a changed one) in one round of all.
struct RecordedProcess {
  std::string kernel, variant;
  int round = 0;                  // from 1 on, without a gap; a variant once a round
  std::vector<double> log_times;  // warm-up dropped
};

// One rule on one kernel and variant: a trial starts at each round and takes the rounds from there on, in a circle.
struct RecordedCase {
  std::string rule, kernel, variant;
  double ratio = 1;  // measured: exp of the mean over rounds of head's less base's median
  int trials = 0, slower = 0, faster = 0, undecided = 0;
  double processes = 0;  // new ones, mean
};

// Every rule on every kernel and variant but base, rules outermost. Kernels that lack base, aa or a round are left out.
// Rules against past runs take the base and aa processes of the other rounds for them.
[[nodiscard]] std::vector<RecordedCase> judge_recorded(const std::vector<RecordedProcess>& processes,
                                                       const Policy& policy);

// A rule over all cases: how often it was wrong where the truth is known well enough to say.
struct RecordedScore {
  std::string rule;
  int same = 0, false_alarms = 0;  // trials within tolerate, and of them alarms
  int between = 0, between_alarms = 0;
  int moved = 0, caught = 0;  // trials beyond catch, and of them alarms in the right direction
  int undecided = 0;          // of all
  double processes = 0;       // mean
};
[[nodiscard]] std::vector<RecordedScore> score_recorded(const std::vector<RecordedCase>& cases, const Policy& policy);

}  // namespace kernelgate::simulation

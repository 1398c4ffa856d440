// SPDX-License-Identifier: Apache-2.0
#pragma once

// Head alone against the stored sessions of a promoted baseline: for which benchmarks of a suite that can be done, how
// many processes of head it takes, and what they say. A judgement that is not `unchanged` belongs into pairs where
// there is a base. Pure.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "core/decision/evidence/policy.hpp"
#include "core/decision/rule/looks.hpp"

namespace kernelgate {

inline constexpr int kScreenRound = 2;  // Process::round of head's processes that have no partner

// What such a judgement is worth; said beside it.
inline constexpr const char* kStoredRates =
    "against a stored baseline: of simulated benchmarks at a true +3 % 0.4 % are cleared and 11.9 % found slower by "
    "2 processes against 20 sessions, at +1 % 0.1 % are; on a quiet testbed (noise x 0.4) 0.3 %, 75 % and 0.1 % "
    "(docs/STATISTICS.md)";

// The sessions that a suite is compared with: its own where the policy says `stored` or no commit can be base; else
// none.
void attach_stored(SuiteEvidence& suite, std::span<const StoredSessions> sessions, const Policy& policy,
                   BuildEnd base_build);

// Whether any of them can judge a benchmark by this rule.
[[nodiscard]] bool can_judge_any(std::span<const StoredSessions> sessions, const Policy& policy);

struct StoredJudgement {
  Verdict verdict = Verdict::undecided;  // regressed, improved, unchanged, or undecided
  Severity severity = Severity::none;
  double base_level = 0, head_level = 0;  // log nanoseconds
  std::optional<double> half_width;       // of the prediction interval; none from one session
  std::optional<double> cliffs_delta, mwu_p;
  int sessions = 0, processes = 0;  // stored
  int head = 0, head_taken = 0;     // processes of head that count, and that there are
};

class StoredTable {
 public:
  StoredTable(const SuiteEvidence& suite, const Policy& policy);

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  // Null: the baseline has no session of it.
  [[nodiscard]] const StoredSessions* sessions(std::string_view benchmark) const;
  // Processes of head that a judgement takes; 0: there are too few sessions for one.
  [[nodiscard]] int wanted(std::string_view benchmark) const;
  [[nodiscard]] int taken(std::string_view benchmark) const;
  // Of them those that a judgement counts: no more than the shortest session has, or all by ranks.
  [[nodiscard]] int used(std::string_view benchmark) const;
  // Nothing: too few sessions, or processes of head that are still to come.
  [[nodiscard]] std::optional<StoredJudgement> judge(std::string_view benchmark, const Band& band,
                                                     Quantiles& quantiles) const;

 private:
  struct Entry {
    StoredSessions sessions;   // those that can be used
    std::vector<double> head;  // log process medians, in the order of pair numbers
    int wanted = 0;
  };
  [[nodiscard]] const Entry* find(std::string_view benchmark) const;
  void add_head(const SuiteEvidence& suite);
  Rule rule_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace kernelgate

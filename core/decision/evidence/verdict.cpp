// SPDX-License-Identifier: Apache-2.0
#include "core/decision/evidence/verdict.hpp"

#include <algorithm>

#include <array>
#include <cstddef>

namespace kernelgate {
namespace {

// The names, in the order of the enumerators.
constexpr std::array<std::string_view, 2> kSides{"base", "head"};
constexpr std::array<std::string_view, 12> kVerdicts{"regressed", "improved", "unchanged", "undecided",
                                                     "suspected", "broken",   "crashed",   "timed_out",
                                                     "invalid",   "missing",  "added",     "identical"};
constexpr std::array<std::string_view, 3> kSeverities{"none", "small", "full"};
constexpr std::array<std::string_view, 7> kConclusions{"passed",    "regressed",      "broken",   "build_failed",
                                                       "undecided", "infrastructure", "cancelled"};
constexpr std::array<std::string_view, 10> kRunStates{"held",      "queued",   "claimed", "building", "checking",
                                                      "measuring", "deciding", "done",    "aborted",  "cancelled"};

template <class Enum, std::size_t N>
std::optional<Enum> find(const std::array<std::string_view, N>& names, std::string_view text) {
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == text) return static_cast<Enum>(i);
  return std::nullopt;
}

}  // namespace

std::string_view to_string(Side side) { return kSides[static_cast<std::size_t>(side)]; }
std::string_view to_string(Verdict verdict) { return kVerdicts[static_cast<std::size_t>(verdict)]; }
std::string_view to_string(Severity severity) { return kSeverities[static_cast<std::size_t>(severity)]; }
std::string_view to_string(Conclusion conclusion) { return kConclusions[static_cast<std::size_t>(conclusion)]; }
std::string_view to_string(RunState state) { return kRunStates[static_cast<std::size_t>(state)]; }

std::optional<Side> parse_side(std::string_view text) { return find<Side>(kSides, text); }
std::optional<Verdict> parse_verdict(std::string_view text) { return find<Verdict>(kVerdicts, text); }
std::optional<Severity> parse_severity(std::string_view text) { return find<Severity>(kSeverities, text); }
std::optional<Conclusion> parse_conclusion(std::string_view text) { return find<Conclusion>(kConclusions, text); }
std::optional<RunState> parse_run_state(std::string_view text) { return find<RunState>(kRunStates, text); }

std::size_t reading_rank(Verdict verdict) {
  return static_cast<std::size_t>(std::find(kReadingOrder.begin(), kReadingOrder.end(), verdict) -
                                  kReadingOrder.begin());
}

bool is_failure(Verdict verdict) {
  return verdict == Verdict::broken || verdict == Verdict::crashed || verdict == Verdict::timed_out ||
         verdict == Verdict::invalid;
}

bool is_finished(RunState state) {
  return state == RunState::done || state == RunState::aborted || state == RunState::cancelled;
}

bool is_waiting(RunState state) { return state == RunState::held || state == RunState::queued; }

int exit_code(Conclusion conclusion) {
  switch (conclusion) {
    case Conclusion::passed: return 0;
    case Conclusion::regressed:
    case Conclusion::broken:
    case Conclusion::build_failed: return 1;
    case Conclusion::undecided: return 3;
    case Conclusion::infrastructure:
    case Conclusion::cancelled: return 4;
  }
  return 4;
}

std::string_view commit_status(Conclusion conclusion) {
  switch (exit_code(conclusion)) {
    case 0:
    case 3: return "success";
    case 1: return "failure";
    default: return "error";
  }
}

std::string_view check_run_conclusion(Conclusion conclusion) {
  if (conclusion == Conclusion::cancelled) return "cancelled";
  switch (exit_code(conclusion)) {
    case 0: return "success";
    case 1: return "failure";
    default: return "neutral";
  }
}

bool blocks_push(Conclusion conclusion) { return exit_code(conclusion) == 1; }

}  // namespace kernelgate

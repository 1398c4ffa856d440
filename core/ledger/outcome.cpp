// SPDX-License-Identifier: Apache-2.0
#include "core/ledger/outcome.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace kernelgate::ledger {
namespace {

// What CUDA calls the failure, where the text says so.
Outcome crash_of(const std::string& text) {
  constexpr std::array<std::pair<const char*, Outcome>, 10> kKnown{
      {{"misaligned address", Outcome::misaligned_address},
       {"MisalignedAddress", Outcome::misaligned_address},
       {"illegal memory access", Outcome::illegal_address},
       {"IllegalAddress", Outcome::illegal_address},
       {"out of memory", Outcome::out_of_memory},
       {"MemoryAllocation", Outcome::out_of_memory},
       {"too many resources", Outcome::too_many_resources},
       {"LaunchOutOfResources", Outcome::too_many_resources},
       {"invalid argument", Outcome::invalid_launch},
       {"InvalidValue", Outcome::invalid_launch}}};
  for (const auto& [words, outcome] : kKnown)
    if (text.find(words) != text.npos) return outcome;
  return Outcome::crashed;
}

const Comparison* first_of(const RunDecision& decision, Verdict verdict) {
  for (const Comparison& comparison : decision.comparisons)
    if (comparison.verdict == verdict) return &comparison;
  return nullptr;
}

std::optional<Judged> judge_failure(const RunDecision& decision) {
  if (decision.conclusion == Conclusion::build_failed) return Judged{Outcome::did_not_compile, decision.summary};
  for (const Verdict verdict : {Verdict::broken, Verdict::crashed, Verdict::timed_out, Verdict::invalid}) {
    const Comparison* found = first_of(decision, verdict);
    if (found == nullptr) continue;
    const Outcome outcome = verdict == Verdict::broken      ? Outcome::broken
                            : verdict == Verdict::crashed   ? crash_of(found->reason)
                            : verdict == Verdict::timed_out ? Outcome::timed_out
                                                            : Outcome::invalid;
    return Judged{outcome, found->benchmark + ": " + found->reason};
  }
  return std::nullopt;
}

// A point that is tried as the reference is base too: it fails as base before head is asked, or on both sides.
std::optional<Judged> judge_reference(const RunDecision& decision) {
  std::string why = decision.reason;
  for (const Comparison& comparison : decision.comparisons)
    if (comparison.pairs == 0 && comparison.reason.find("fails on both sides: ") != std::string::npos)
      why = "the reference point: " + comparison.benchmark + " " + comparison.reason;
  if (why.find("the reference point: ") == why.npos) return std::nullopt;
  const bool slow = why.find(" is timed_out") != why.npos || why.find("timed out") != why.npos;
  const Outcome outcome = why.find(" is broken") != why.npos ? Outcome::broken
                          : slow                             ? Outcome::timed_out
                                                             : crash_of(why);
  return Judged{outcome, std::move(why)};
}

Outcome judge_times(const RunDecision& decision) {
  bool faster = false, slower = decision.conclusion == Conclusion::regressed, open = false, timed = false;
  for (const Comparison& comparison : decision.comparisons) {
    timed = timed || comparison.pairs > 0 || comparison.against == Against::stored;
    if (!comparison.quarantined.empty()) continue;
    faster = faster || comparison.verdict == Verdict::improved;
    slower = slower || comparison.verdict == Verdict::regressed;
    open = open || comparison.verdict == Verdict::undecided || comparison.verdict == Verdict::suspected;
  }
  const bool same = first_of(decision, Verdict::identical) != nullptr || decision.reason == "nothing_to_measure";
  if (faster || slower) return faster && slower ? Outcome::mixed : faster ? Outcome::won : Outcome::lost;
  if (decision.conclusion == Conclusion::infrastructure) return Outcome::not_measured;
  if (timed) return open ? Outcome::undecided : Outcome::no_change;
  if (same) return Outcome::identical;
  return first_of(decision, Verdict::added) != nullptr ? Outcome::added : Outcome::not_measured;
}

}  // namespace

std::optional<Outcome> parse_outcome(std::string_view text) {
  std::string name(text);
  std::replace(name.begin(), name.end(), ' ', '_');
  return parse_word<Outcome>(name);
}

Result<std::vector<Outcome>> parse_outcomes(std::string_view list) {
  std::vector<Outcome> out;
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find(','));
    list.remove_prefix(std::min(word.size() + 1, list.size()));
    if (word == "failed") {
      for (int i = 0; i < enumerator_count<Outcome>(); ++i)
        if (is_failure(static_cast<Outcome>(i))) out.push_back(static_cast<Outcome>(i));
      continue;
    }
    const auto outcome = parse_outcome(word);
    if (!outcome)
      return fail(Errc::invalid, "unknown outcome '" + std::string(word.substr(0, 40)) + "'", "outcome",
                  "won, lost, mixed, no_change, undecided, identical, broken, crashed, … or failed");
    out.push_back(*outcome);
  }
  return out;
}

Judged judge_attempt(const RunDecision& decision) {
  if (auto failed = judge_failure(decision)) return *failed;
  if (auto failed = judge_reference(decision)) return *failed;
  const Outcome outcome = judge_times(decision);
  return {outcome, outcome == Outcome::not_measured ? decision.reason : decision.summary};
}

}  // namespace kernelgate::ledger

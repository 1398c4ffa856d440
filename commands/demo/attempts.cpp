// SPDX-License-Identifier: Apache-2.0
#include "commands/demo/attempts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/decision/explain/reason.hpp"

namespace kernelgate::demo {
namespace {

// Worst first; infrastructure and build_failed are conclusions, the others verdicts.
constexpr std::array<std::string_view, 14> kOutcomes{
    "build_failed", "broken",    "crashed",   "timed_out", "invalid",   "regressed", "infrastructure",
    "missing",      "suspected", "undecided", "improved",  "unchanged", "added",     "identical"};

std::string_view conclusion_word(const wire::Run& run) { return run.conclusion ? to_string(*run.conclusion) : ""; }

bool has_outcome(const wire::Run& run, std::string_view outcome) {
  if ((outcome == "build_failed" || outcome == "infrastructure") && conclusion_word(run) == outcome) return true;
  return std::any_of(run.comparisons.begin(), run.comparisons.end(),
                     [&](const Comparison& c) { return to_string(c.verdict) == outcome; });
}

std::optional<Comparison> most_telling(const wire::Run& run, std::string_view outcome) {
  std::optional<Comparison> best;
  const auto distance = [](const Comparison& c) { return c.ratio ? std::fabs(std::log(*c.ratio)) : 0.0; };
  for (const Comparison& c : run.comparisons) {
    if (to_string(c.verdict) != outcome) continue;
    if (!best || distance(c) > distance(*best)) best = c;
  }
  return best;
}

std::vector<std::string> fingerprints_of(const wire::Run& run) {
  std::vector<std::string> found;
  for (const Comparison& c : run.comparisons)
    if (!c.fingerprint.empty()) found.push_back(c.fingerprint);
  return found;
}

// The first failure that an earlier attempt shows too; else the first failure.
void compare_failures(Attempt& attempt, std::span<const Attempt> earlier) {
  const auto own = fingerprints_of(attempt.run);
  if (own.empty()) return;
  attempt.fingerprint = own.front();
  for (const Attempt& other : earlier) {
    const auto known = fingerprints_of(other.run);
    const auto shared = std::find_first_of(own.begin(), own.end(), known.begin(), known.end());
    if (shared == own.end()) continue;
    attempt.fingerprint = *shared;
    attempt.same_failure_as = other.step.number;
    return;
  }
}

// What stands in the ledger for an attempt that has no timing.
std::string error_of(const Attempt& attempt) {
  if (attempt.outcome == "build_failed" || attempt.outcome == "infrastructure")
    return attempt.run.summary.empty() ? attempt.run.reason : attempt.run.summary;
  if (!attempt.shown || attempt.shown->ratio || attempt.shown->fingerprint.empty()) return {};
  for (const Comparison& c : attempt.run.comparisons)
    if (c.fingerprint == attempt.fingerprint) return c.benchmark + ": " + c.reason;
  return attempt.shown->reason;
}

}  // namespace

bool Attempt::as_expected() const { return outcome == step.expected && same_failure_as == step.same_failure_as; }

std::string outcome_of(const wire::Run& run) {
  for (const std::string_view outcome : kOutcomes)
    if (has_outcome(run, outcome)) return std::string(outcome);
  // Proven the same before anything was listed or timed.
  return run.reason == "nothing_to_measure" ? "identical" : std::string(conclusion_word(run));
}

Attempt make_attempt(const Step& step, wire::Run run, std::span<const Attempt> earlier) {
  Attempt attempt;
  attempt.step = step;
  attempt.commit = run.commit;
  attempt.outcome = outcome_of(run);
  attempt.shown = most_telling(run, attempt.outcome);
  attempt.run = std::move(run);
  compare_failures(attempt, earlier);
  attempt.error = error_of(attempt);
  if (attempt.shown && attempt.shown->verdict == Verdict::regressed) attempt.evidence = evidence_text(*attempt.shown);
  return attempt;
}

bool all_as_expected(std::span<const Attempt> attempts) {
  return std::all_of(attempts.begin(), attempts.end(), [](const Attempt& attempt) { return attempt.as_expected(); });
}

}  // namespace kernelgate::demo

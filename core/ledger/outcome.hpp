// SPDX-License-Identifier: Apache-2.0
#pragma once

// What came of an attempt, in one word: the only mapping from a run's conclusion and comparisons to the words of the
// ledger (docs/GLOSSARY.md lists them). Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/attempt_outcome.hpp"
#include "core/decision/evidence/comparison.hpp"
#include "core/units/result.hpp"

namespace kernelgate::ledger {

using Outcome = AttemptOutcome;
using kernelgate::is_failure, kernelgate::is_judged, kernelgate::to_string, kernelgate::words;

[[nodiscard]] std::optional<Outcome> parse_outcome(std::string_view);  // either spelling

// "won,lost"; "failed" stands for all that do not work. Errc::invalid: an unknown word.
[[nodiscard]] Result<std::vector<Outcome>> parse_outcomes(std::string_view list);

struct Judged {
  Outcome outcome = Outcome::not_measured;
  std::string text;  // for people: the first failure, or the run's summary
};
[[nodiscard]] Judged judge_attempt(const RunDecision& decision);

}  // namespace kernelgate::ledger

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What came of an attempt, in one word: the only mapping from a run's conclusion and comparisons to the words of the
// ledger (docs/GLOSSARY.md lists them). Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/units/result.hpp"

namespace kernelgate::ledger {

enum class Outcome {
  not_tried,  // noted or planned, never run
  reference,  // the point that a sweep's others are compared with
  added,      // there was nothing to hold it against
  won,
  lost,
  mixed,  // some benchmarks faster, some slower
  no_change,
  undecided,
  identical,  // the same program as base: nothing was timed
  did_not_compile,
  broken,
  crashed,
  misaligned_address,
  illegal_address,
  out_of_memory,
  too_many_resources,
  invalid_launch,
  timed_out,
  invalid,
  not_measured,  // our fault or the machine's: says nothing of the attempt
  superseded,    // a newer push took its place before it was judged
  cancelled,
};

[[nodiscard]] std::string_view to_string(Outcome);                     // did_not_compile
[[nodiscard]] std::string words(Outcome);                              // did not compile
[[nodiscard]] std::optional<Outcome> parse_outcome(std::string_view);  // either spelling

// "won,lost"; "failed" stands for all that do not work. Errc::invalid: an unknown word.
[[nodiscard]] Result<std::vector<Outcome>> parse_outcomes(std::string_view list);

// It does not work: no figure of it can be used.
[[nodiscard]] bool is_failure(Outcome);
// It was judged: a later run that was not leaves the outcome as it is.
[[nodiscard]] bool is_judged(Outcome);

struct Judged {
  Outcome outcome = Outcome::not_measured;
  std::string text;  // for people: the first failure, or the run's summary
};
[[nodiscard]] Judged judge_attempt(const RunDecision& decision);

}  // namespace kernelgate::ledger

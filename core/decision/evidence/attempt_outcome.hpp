// SPDX-License-Identifier: Apache-2.0
#pragma once

// What came of an attempt, in one word (docs/GLOSSARY.md lists them). core/ledger/outcome.hpp says which run has which.

#include <algorithm>
#include <string>

#include "core/units/enum_words.hpp"

namespace kernelgate {

enum class AttemptOutcome {
  not_tried,  // noted or planned, never run
  reference,  // the point that a sweep's others are compared with
  added,      // there was nothing to compare it with
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
void spelled_as_named(AttemptOutcome);

// "did not compile"
[[nodiscard]] inline std::string words(AttemptOutcome outcome) {
  std::string out(to_string(outcome));
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

// It does not work: no figure of it can be used.
[[nodiscard]] constexpr bool is_failure(AttemptOutcome outcome) {
  return outcome >= AttemptOutcome::did_not_compile && outcome <= AttemptOutcome::invalid;
}

// It was judged: a later run that was not leaves the outcome as it is.
[[nodiscard]] constexpr bool is_judged(AttemptOutcome outcome) {
  return outcome != AttemptOutcome::not_tried && outcome < AttemptOutcome::not_measured;
}

}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The search of a bisection: from what was measured so far to what is measured next, or to the end. Pure, and without
// memory: the same observations give the same step, so a search goes on from a store after a restart.
//
// Commits stand in a line, oldest first: 0 is good, the last is bad. First good and bad are compared with each other;
// then each candidate against the good end, never against its neighbour: the effect stays whole
// (docs/adr/0011-bisect-against-the-good-end.md). A candidate is on the bad side if it shows more than half of it.
// A commit of which nothing can be said is left out and its neighbours are tried. At the end the culprit is held
// against its parent by fresh processes.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/bisect/reading.hpp"

namespace kernelgate::bisect {

// One run. `confirming`: of the culprit against its parent.
struct Step {
  int head = 0, base = 0;
  bool confirming = false;
  bool operator==(const Step&) const = default;
};

struct Observation {
  Step step;
  Reading reading;
};

enum class Ending {
  culprit,        // `high`, confirmed against its parent
  range,          // one of low + 1 … high: those before `high` cannot be measured
  unconfirmed,    // `high` by the search, but against its parent it does not show
  no_difference,  // bad is not worse than good
  undecided,      // it cannot be told whether they do, or too many runs were needed
  unusable_end,   // good or bad cannot be measured
};
void spelled_as_named(Ending);

struct Next {
  std::optional<Step> step;  // none: it is over
  std::optional<Ending> end;
  int low = 0, high = 0;         // the last known to be good, the first known to be bad
  std::vector<int> skipped{};    // between them, at the end
  std::optional<double> effect;  // log ratio of bad over good
  std::string why{};             // of an end that found no culprit
};

[[nodiscard]] Next next_step(int commits, std::span<const Observation> observations);

// Those that compared something: builds that failed and trouble are none.
[[nodiscard]] int comparisons_of(std::span<const Observation> observations);

// "1a2b3c4d5e is the culprit: …": one sentence, with what follows from it. `names` are what people call the commits.
[[nodiscard]] std::string describe(const Next& next, std::span<const std::string> names);

}  // namespace kernelgate::bisect

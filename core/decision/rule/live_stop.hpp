// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a live run would have spent on recorded pairs: where it would have been done with each benchmark, and how many
// processes that is. Pure. A live run without a stored variance is meant, as recorded pairs have none.

#include <optional>
#include <string>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/policy.hpp"

namespace kernelgate {

struct LiveStop {
  int given = 0;      // recorded pairs
  int most = 0;       // that the policy lets a live run take
  int pairs = 0;      // of them, those that a live run would have taken
  int open = 0;       // benchmarks for which it would have gone on after them
  bool once = false;  // the rule judges once, with all pairs: nothing stops earlier
  [[nodiscard]] int processes() const { return 2 * pairs; }
};
[[nodiscard]] LiveStop live_stop(const RunDecision& decision, const Policy& policy, int given);

// The pair after which a live run would have been done with this benchmark. None: it would have gone on (undecided, to
// be run once more, or decided at a look that only the end of the files made), or the benchmark was not timed.
[[nodiscard]] std::optional<int> live_pair(const Comparison& comparison, const Policy& policy);

// One sentence; empty where a live run would have spent the same.
[[nodiscard]] std::string live_text(const LiveStop& live);

}  // namespace kernelgate

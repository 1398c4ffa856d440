// SPDX-License-Identifier: Apache-2.0
#pragma once

// The end of a run, for a server's run and for a local one. The verdict that counts is computed here, from the stored
// processes and the variances and sessions that the claim carried; what the runner thought of them plays no part.

#include <optional>
#include <string>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/cost.hpp"
#include "core/decision/evidence/evidence.hpp"
#include "core/decision/evidence/policy.hpp"
#include "core/units/time.hpp"
#include "service/runs/lease.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

struct FinishedWork {
  RunEvidence evidence;              // its processes are those that were uploaded; any in here are ignored
  std::string manifest;              // text of base's manifest, which judges; empty: the run never got as far as one
  std::string program{};             // version line of the program that decides; kept with the verdict
  std::optional<Against> against{};  // a flag's choice, in place of the manifest's
  double gpu_s_held = 0, gpu_s_used = 0, wall_s = 0;
};

struct Finished {
  db::Run run;
  std::string document;  // the decision as it is stored, and as a runner is answered
  RunDecision decision;  // with every notice: of the decision, of the trends, of the ledger
  RunCost cost;
  bool is_repeated = false;  // this lease finished the run before: the same answer again
};

// conflict: the run is not the holder's to finish. invalid: not the manifest that the run was resolved with, or stored
// processes of a suite that the evidence does not name.
[[nodiscard]] Result<Finished> finish(Store store, RunId run, FinishedWork work, const Holder& holder,
                                      const Clock& clock);

}  // namespace kernelgate::service

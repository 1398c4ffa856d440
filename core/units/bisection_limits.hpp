// SPDX-License-Identifier: Apache-2.0
#pragma once

// The limits of bisections and backfills, each with its reason; beside limits.hpp, which nearly everything includes.

namespace kernelgate::limits {

constexpr int kBisectionCommitsMax = 4096;   // between good and bad: twelve halvings
constexpr int kBisectionRunsMax = 100;       // of one; a history of commits that do not build ends here
constexpr int kBisectionRepeatsMax = 3;      // runs of one undecided or disturbed step
constexpr int kBisectionsMax = 20;           // under way in a repository
constexpr int kBackfillMax = 200;            // parents measured for one request

}  // namespace kernelgate::limits

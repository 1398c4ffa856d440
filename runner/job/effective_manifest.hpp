// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which manifest a run is judged by: the registered one, else base's, else head's (DECISION_RULE:
// the effective manifest belongs to base). Private to runner/job.

#include <optional>
#include <string>
#include <vector>

#include "runner/job/job.hpp"

namespace kernelgate {

struct EffectiveManifest {
  Manifest manifest;  // policy, inputs, suites
  std::string text;
  std::string owner;             // registered, base or head
  BuildRecipe head_recipe;       // how head is built: its own recipe, base's inputs and overlay
  std::vector<SuiteSpec> added;  // suites that only head's manifest has
  std::vector<std::string> notices;
};

// Head's own manifest is malformed: head cannot be built, and `text` says why.
struct MalformedHead {
  std::string text;
};

struct EffectiveManifestFound {
  std::optional<EffectiveManifest> effective_manifest;
  std::optional<MalformedHead> malformed;
};

// Errc::invalid: there is no manifest at all, or the registered one is malformed.
[[nodiscard]] Result<EffectiveManifestFound> find_effective_manifest(const JobRequest& request,
                                                                     const std::optional<CommitHash>& base);

}  // namespace kernelgate

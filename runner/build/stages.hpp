// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs the stages of a recipe inside the sandbox, and tells a commit that does not build from a machine that cannot
// build it. Private to runner/build.

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/manifest/manifest.hpp"
#include "core/units/result.hpp"
#include "platform/process/process.hpp"
#include "runner/sandbox/sandbox.hpp"

namespace kernelgate::build_detail {

struct StagePlan {
  const BuildRecipe* recipe = nullptr;
  std::filesystem::path source, build;
  std::filesystem::path ccache;  // empty: none
  int jobs = 1;
  bool gpu = false;
};

struct StageOutcome {
  std::string failed_stage;  // empty: all went well
  std::string log;
};

// An error is ours; the log so far is lost with it, but for its last lines.
[[nodiscard]] Result<StageOutcome> run_stages(const Sandbox& sandbox, const StagePlan& plan,
                                              const std::stop_token& stop);

// Why a stage that did not end well is not the commit's fault; empty if it is.
[[nodiscard]] std::optional<Error> not_the_commits_fault(const std::string& stage, const ProcessResult& result);

// What compilers and build tools are inside the sandbox, as text for the cache key.
[[nodiscard]] Result<std::string> describe_toolchain(const Sandbox& sandbox);

}  // namespace kernelgate::build_detail

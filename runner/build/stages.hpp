// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs the stages of a recipe inside the sandbox, and tells a commit that does not build from a machine that cannot
// build it. Private to runner/build.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/manifest/manifest.hpp"
#include "core/units/result.hpp"
#include "platform/process/process.hpp"
#include "runner/build/compiler_cache.hpp"
#include "runner/sandbox/sandbox.hpp"

namespace kernelgate::build_detail {

struct StagePlan {
  const BuildRecipe* recipe = nullptr;
  std::filesystem::path source, build;
  CompilerCache ccache{};
  int jobs = 1;
  bool gpu = false;
  bool is_trusted = true;
  Bytes tree_max = limits::kBuildTreeMax;  // of source and build together, on the disk
};

struct StageOutcome {
  std::string failed_stage;  // empty: all went well
  std::string log;
  bool tool_missing = false;       // the shell found no such command, or the loader no library
  bool may_end_otherwise = false;  // it failed by time, memory or disk, or a tool was missing: not to be remembered
};

// What a failed stage found of the disk, by statvfs. A build that wrote half of what was free filled it itself.
struct Disk {
  std::uint64_t free_before = 0, free_bytes = 0, written_bytes = 0;
  bool ran_out = false;  // the stage was ended because little was left
  [[nodiscard]] bool is_full() const;
  [[nodiscard]] bool filled_by_the_build() const;
};

// An error is ours; the log so far is lost with it, but for its last lines.
[[nodiscard]] Result<StageOutcome> run_stages(const Sandbox& sandbox, const StagePlan& plan,
                                              const std::stop_token& stop);

// Why a stage that did not end well is not the commit's fault; empty if it is. Facts alone count: whatever a commit
// prints, it may have chosen.
[[nodiscard]] std::optional<Error> not_the_commits_fault(const std::string& stage, const ProcessResult& result,
                                                         const Disk& disk);
[[nodiscard]] bool may_end_otherwise(const ProcessResult& result, const Disk& disk);

// What compilers and build tools are inside the sandbox, as text for the cache key.
[[nodiscard]] Result<std::string> describe_toolchain(const Sandbox& sandbox);

}  // namespace kernelgate::build_detail

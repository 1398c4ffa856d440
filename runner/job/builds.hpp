// SPDX-License-Identifier: Apache-2.0
#pragma once

// Builds a commit, runs its checks, and remembers both with the build. Private to runner/job.

#include <string>
#include <vector>

#include "runner/check/check.hpp"
#include "runner/job/stage.hpp"

namespace kernelgate {

enum class BuildRole { base, head };

// Builds with the recipe that the effective manifest gives this role; the log is reported.
[[nodiscard]] Result<Build> build_commit(JobStage& stage, const EffectiveManifest& effective_manifest,
                                         const CommitHash& commit, BuildRole role);

// The last lines of a failed build, with the stage that failed.
[[nodiscard]] std::string failure_text(const Build& build);

// A line of the suite with its setting, {source} and {build} replaced by what the sandbox shows.
[[nodiscard]] Result<ShellLine> locate_line(const JobStage& stage, const Build& build, const SuiteSpec& spec,
                                            const std::string& line);

// Whether the program that a line starts was built; true where the line does not name a file of the
// build folder.
[[nodiscard]] bool has_program(const Build& build, const std::string& line);

// Runs the suite's check line on a build, or takes what is remembered with that build.
// Base's check program against head's library: the files of spec.check_library are head's, all else is base's.
[[nodiscard]] Result<CheckReport> check_by_base(JobStage& stage, const Build& base, const Build& head,
                                                const SuiteSpec& spec);
[[nodiscard]] Result<CheckReport> check_build(JobStage& stage, const Build& build, const SuiteSpec& spec, Side side);

// Empty: all checks of the effective manifest pass on this build, and each suite lists its benchmarks.
[[nodiscard]] Result<std::string> why_broken(JobStage& stage, const EffectiveManifest& effective_manifest,
                                             const Build& build);

// Lists a suite of a build; names that the request's filter does not match are left out.
struct MeasuredSide;
[[nodiscard]] Result<MeasuredSide> list_side(JobStage& stage, const SuiteSpec& spec, const Build& build);

}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#pragma once

// A replay as data (examples/replay/steps.json), and as a git repository: the same commits, with the same hashes, on
// every machine.

#include <filesystem>
#include <string>
#include <vector>

#include "core/units/git_hash.hpp"
#include "core/units/result.hpp"

namespace kernelgate::demo {

struct Step {
  int number = 0;  // from 1, in the order of the commits
  std::string branch, title, hypothesis;
  std::string expected;          // outcome
  int same_failure_as = 0;       // number of the step that fails alike; 0: none
  std::vector<std::string> add;  // files of this project that the commit takes as they are
  std::string patch;             // over them; may be empty
};

struct Scenario {
  std::string replay;  // cpu, cuda or softmax
  std::string author;  // "Name <address>"
  long first_commit_at = 0, seconds_between = 0;
  std::vector<Step> steps;
};
// Errc::invalid: there is no such replay.
[[nodiscard]] Result<Scenario> load_scenario(const std::string& replay);

// Makes a repository in `folder`, which must be new or empty, and commits every step: those on "main" one after the
// other, the attempts each on a branch off the last commit that main has by then. The result has one commit per step.
[[nodiscard]] Result<std::vector<CommitHash>> write_scenario(const Scenario& scenario,
                                                             const std::filesystem::path& folder);

}  // namespace kernelgate::demo

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Nsight Compute on one benchmark of two commits, and the counters that moved most. Judges nothing. Blocks.

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "commands/run/run.hpp"

namespace kernelgate::local {

struct ProfileOptions {
  RunOptions run;                      // of it: repository, base, head, manifest, suite, gpu, probe_folder, no_sandbox
  std::string benchmark;               // its whole name
  std::filesystem::path out;           // folder for the profiler's pages, base.csv and head.csv; empty: not kept
  std::filesystem::path cuda_tools{};  // folder of ncu; empty: it is looked for
};

struct ProfileOutcome {
  std::string title;
  KernelProfile base, head;          // the kernel that took longest
  std::vector<std::string> changes;  // the counter that moved most first
};

// Errc::unsupported: there is no profiler, or it cannot count here.
[[nodiscard]] Result<ProfileOutcome> profile_here(const ProfileOptions& options, const RunProgress& progress,
                                                  std::stop_token stop = {});

[[nodiscard]] std::string profile_table(const ProfileOutcome& outcome);
[[nodiscard]] std::string profile_json(const ProfileOutcome& outcome);

}  // namespace kernelgate::local

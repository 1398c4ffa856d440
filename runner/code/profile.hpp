// SPDX-License-Identifier: Apache-2.0
#pragma once

// Nsight Compute on one benchmark of one side, inside the sandbox: once with durations alone, to learn which kernel
// takes longest, then with all counters on a few launches of that one. The GPU's clocks are left alone. Blocks.

#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "core/units/result.hpp"
#include "runner/sandbox/sandbox.hpp"

namespace kernelgate::gpu {

struct ProfileRequest {
  const Sandbox* sandbox = nullptr;
  std::filesystem::path ncu;
  std::string before;              // lines for the shell that come first
  std::string line;                // of the suite, expanded
  std::vector<std::string> flags;  // of the suite: the benchmark alone, once
  std::vector<Mount> mounts;
  bool cold = false;  // the caches are flushed before each launch
};

struct Profile {
  std::vector<KernelProfile> kernels;  // the one that took longest in all first; benchmark and side are left empty
  std::string page;                    // the profiler's raw page, for the reader
};

// What the profiler reads that no sandbox shows otherwise: its installation below /opt.
[[nodiscard]] std::vector<Mount> profiler_mounts(const Sandbox& sandbox);

// Errc::unsupported: there are no counters here, and why.
[[nodiscard]] Result<Profile> profile_benchmark(const ProfileRequest& request, const std::stop_token& stop);

// The raw page as CSV: each kernel with the median over its launches of every counter that is a number. The text before
// the table is the suite's own. Pure; the text is of a foreign program.
[[nodiscard]] Result<std::vector<KernelProfile>> parse_profile(std::string_view text);

}  // namespace kernelgate::gpu

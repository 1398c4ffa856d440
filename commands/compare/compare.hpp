// SPDX-License-Identifier: Apache-2.0
#pragma once

// Recorded results against each other: files of Google Benchmark, NVBench (--jsonbin) or pytest-benchmark JSON, all of
// one format, one file a process, judged by the same rule as a live run, looks included. Starts and stores nothing.

#include <filesystem>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/policy.hpp"
#include "core/manifest/manifest.hpp"
#include "core/units/result.hpp"

namespace kernelgate::local {

struct CompareRequest {
  std::vector<std::filesystem::path> base;  // paired with `head` in the order given
  std::vector<std::filesystem::path> head;
  std::vector<std::vector<std::filesystem::path>> sessions{};  // policy.against stored: in place of base
  Policy policy;
  TimeSource time = TimeSource::real;
  bool blocks_prove = false;  // a change of files that say they were not recorded in turn counts as proven all the same
  int drop_first = 0;         // repetitions to ignore at the start of each series
};

// Every error is the caller's: unequal numbers of files, a session of one file, a band that is none, a file that cannot
// be read, nothing in them that can be compared. A file that does not count for a benchmark is a notice.
[[nodiscard]] Result<RunDecision> compare_files(const CompareRequest& request);

// The policy of a manifest, with its overrides and workloads.
[[nodiscard]] Result<Policy> policy_of_manifest(const std::filesystem::path& file);

}  // namespace kernelgate::local

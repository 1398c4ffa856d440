// SPDX-License-Identifier: Apache-2.0
#pragma once

// The compiled kernels of mma_issue, one list for each file. Only mma_issue.cpp launches them.

#include <span>

#include "kernels/hopper_parts/mma_issue.hpp"

namespace kernels {

using IssueKernel = void (*)(const void* a, const void* b, float* d, int rounds);

struct IssueEntry {
  Issue issue;
  bool bf16;
  int n;
  IssueKernel kernel;
};

[[nodiscard]] std::span<const IssueEntry> wgmma_entries();
[[nodiscard]] std::span<const IssueEntry> mma_sync_entries();

}  // namespace kernels

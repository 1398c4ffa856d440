// SPDX-License-Identifier: Apache-2.0
#pragma once

// Matrix instructions one after the other on operands that are there already: D = rounds x A B^T, by `blocks` blocks of
// `groups` warpgroups. Each warpgroup has 64 rows of its own, each block an A and a B; A and B have K contiguous.

#include <cuda_runtime.h>

#include <cstddef>

namespace kernels {

inline constexpr int kIssueRows = 64, kIssueDepth = 64;  // of a warpgroup's A
inline constexpr int kIssueSyncN = 64;                   // mma.sync has eight columns; a warp holds eight times as many

// Where A comes from; B comes from shared memory with wgmma and from registers with mma.sync.
enum class Issue { wgmma_shared, wgmma_registers, mma_sync };

struct IssueShape {
  Issue issue = Issue::wgmma_shared;
  bool bf16 = false;
  int n = 256;  // 64, 128 or 256; kIssueSyncN with mma.sync
  int groups = 1, blocks = 1, rounds = 1;

  [[nodiscard]] constexpr std::size_t rows() const { return static_cast<std::size_t>(blocks) * groups * kIssueRows; }
  [[nodiscard]] constexpr std::size_t a_count() const { return rows() * kIssueDepth; }
  [[nodiscard]] constexpr std::size_t b_count() const { return static_cast<std::size_t>(blocks) * n * kIssueDepth; }
  [[nodiscard]] constexpr std::size_t d_count() const { return rows() * n; }
  [[nodiscard]] constexpr double flops() const { return 2.0 * static_cast<double>(d_count()) * kIssueDepth * rounds; }
  [[nodiscard]] constexpr std::size_t shared_bytes() const {
    if (issue == Issue::mma_sync) return 0;
    return 1024 + (static_cast<std::size_t>(groups) * kIssueRows + n) * kIssueDepth * 2;
  }

  // Index of A and B under element `index` of D, of which K is the rest.
  [[nodiscard]] constexpr std::size_t a_row(std::size_t index) const { return index / n * kIssueDepth; }
  [[nodiscard]] constexpr std::size_t b_row(std::size_t index) const {
    const std::size_t block = index / n / (static_cast<std::size_t>(groups) * kIssueRows);
    return (block * n + index % n) * kIssueDepth;
  }
};

// Why this GPU or program cannot: wgmma needs sm_90a. Null where it can.
[[nodiscard]] const char* issue_refusal(const IssueShape& shape);

void mma_issue(const IssueShape& shape, const void* a, const void* b, float* d, cudaStream_t stream);

}  // namespace kernels

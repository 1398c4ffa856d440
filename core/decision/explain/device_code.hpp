// SPDX-License-Identifier: Apache-2.0
#pragma once

// Device code as evidence: what differs between two builds' kernels, in words, and how full a kernel can make a
// multiprocessor. Pure.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/evidence.hpp"

namespace kernelgate {

// How a benchmark says that it launches its kernel (counters block and smem).
struct LaunchShape {
  int block_threads = 0;
  int dynamic_shared_bytes = 0;
};
[[nodiscard]] std::optional<LaunchShape> launch_of(const std::map<std::string, double>& counters);

// Resident warps over the most there can be, limited by warps, registers, shared memory and blocks; 0: such a block
// does not fit. Nothing for an architecture other than sm_80, sm_90 and sm_100, or without a block size.
[[nodiscard]] std::optional<double> theoretical_occupancy(const KernelCode& code, const LaunchShape& launch);

// The same kernels with the same instructions and resources. Two empty lists prove nothing.
[[nodiscard]] bool same_device_code(std::span<const KernelCode> base, std::span<const KernelCode> head);

// One line a kernel that changed, appeared or went away: "gemm<64>: registers 168 -> 255, spills 0 -> 48 bytes,
// HGMMA 64 -> 0, occupancy 25 % -> 12.5 % at 256 threads". A template that changed its arguments alone is one line.
struct Launches {
  std::optional<LaunchShape> base, head;
};
[[nodiscard]] std::vector<std::string> code_changes(std::span<const KernelCode> base, std::span<const KernelCode> head,
                                                    const Launches& launches);

// Fills code_changes of the comparisons that regressed.
void add_code_changes(const SuiteEvidence& suite, std::vector<Comparison>& comparisons);

}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#include "kernels/hopper_parts/mma_issue.hpp"

#include <stdexcept>
#include <string>

#include "kernels/bench/cuda.hpp"
#include "kernels/common/built_for.hpp"
#include "kernels/hopper_parts/issue_kernels.hpp"

namespace kernels {
namespace {

constexpr unsigned kWarpgroup = 128;

IssueKernel kernel_for(const IssueShape& shape) {
  for (const IssueEntry& entry : shape.issue == Issue::mma_sync ? mma_sync_entries() : wgmma_entries())
    if (entry.issue == shape.issue && entry.bf16 == shape.bf16 && entry.n == shape.n) return entry.kernel;
  throw std::runtime_error("no such instruction has " + std::to_string(shape.n) + " columns");
}

}  // namespace

const char* issue_refusal(const IssueShape& shape) {
  return shape.issue == Issue::mma_sync ? nullptr : sm_90a_refusal();
}

void mma_issue(const IssueShape& shape, const void* a, const void* b, float* d, cudaStream_t stream) {
  const auto* const kernel = reinterpret_cast<const void*>(kernel_for(shape));
  int rounds = shape.rounds;
  void* arguments[] = {&a, &b, &d, &rounds};
  bench::check(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shape.shared_bytes())),
      "asking for shared memory");
  bench::check(
      cudaLaunchKernel(kernel, dim3(static_cast<unsigned>(shape.blocks)),
                       dim3(kWarpgroup * static_cast<unsigned>(shape.groups)), arguments, shape.shared_bytes(), stream),
      "launching matrix instructions");
}

}  // namespace kernels

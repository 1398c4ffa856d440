// SPDX-License-Identifier: Apache-2.0
#include "kernels/hopper/barrier.cuh"
#include "kernels/hopper/copies.cuh"
#include "kernels/hopper/wgmma.cuh"
#include "kernels/hopper_parts/fragments.cuh"
#include "kernels/hopper_parts/issue_kernels.hpp"

namespace kernels {
namespace {

using hopper::kWarpgroup;

constexpr int kGroupsMax = 2;

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

constexpr int kWarpRows = 16, kStep = 16;  // K of one instruction
constexpr int kRowBytes = kIssueDepth * 2, kGroupBytes = kIssueRows * kRowBytes;
constexpr int kSteps = kIssueDepth / kStep, kStepBytes = kStep * 2;

// Rows of 128 bytes into shared memory, in the order that the 128-byte swizzle stands for.
__device__ __forceinline__ void stage(const void* from, unsigned char* to, int rows) {
  constexpr int kPieces = kRowBytes / 16;
  for (int i = threadIdx.x; i < rows * kPieces; i += blockDim.x) {
    const int row = i / kPieces, piece = i % kPieces;
    *reinterpret_cast<uint4*>(to + row * kRowBytes + (piece ^ row % 8) * 16) = static_cast<const uint4*>(from)[i];
  }
}

__device__ __forceinline__ std::uint64_t operand(std::uint32_t at, int step) {
  return hopper::descriptor<hopper::Swizzle::bytes128>(at + step * kStepBytes, 16);
}

#endif

template <class T, int kN, Issue kIssue>
__global__ void __launch_bounds__(kGroupsMax* kWarpgroup, 1)
    wgmma_issue_kernel(const void* a, const void* b, float* d, int rounds) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL  // elsewhere nobody launches it: see common/built_for.hpp
  extern __shared__ unsigned char shared[];
  unsigned char* const right_at = shared + (1024 - hopper::shared_address(shared) % 1024) % 1024;
  unsigned char* const left_at = right_at + kN * kRowBytes;
  const int groups = blockDim.x / kWarpgroup, group = threadIdx.x / kWarpgroup;
  const std::size_t row = (std::size_t{blockIdx.x} * groups + group) * kIssueRows;
  stage(static_cast<const T*>(b) + std::size_t{blockIdx.x} * kN * kIssueDepth, right_at, kN);
  stage(static_cast<const T*>(a) + std::size_t{blockIdx.x} * groups * kIssueRows * kIssueDepth, left_at,
        groups * kIssueRows);
  hopper::fence_for_copies();  // wgmma reads by the way of the copy engine
  __syncthreads();

  const std::uint32_t right = hopper::shared_address(right_at);
  const std::uint32_t left = hopper::shared_address(left_at) + group * kGroupBytes;
  const std::size_t warp_row = row + threadIdx.x / 32 % 4 * kWarpRows;
  std::uint32_t fragments[kSteps][4];
  if constexpr (kIssue == Issue::wgmma_registers) {
#pragma unroll
    for (int step = 0; step < kSteps; ++step)
      load_left(fragments[step], static_cast<const T*>(a) + warp_row * kIssueDepth, step * kStep);
  }
  float sums[kN / 2];
#pragma unroll
  for (float& sum : sums) sum = 0;
  for (int round = 0; round < rounds; ++round) {
    hopper::hold(sums);
    hopper::wgmma_begin();
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
      if constexpr (kIssue == Issue::wgmma_registers) {
        hopper::wgmma(T{}, sums, fragments[step], operand(right, step));
      } else {
        hopper::wgmma(T{}, sums, operand(left, step), operand(right, step));
      }
    }
    hopper::wgmma_commit();
    hopper::hold(sums);
    hopper::wgmma_wait<1>();
  }
  hopper::wgmma_wait<0>();
  hopper::hold(sums);
  store_sums(sums, d + warp_row * kN, kN);
#endif
}

template <class T, int kN, Issue kIssue>
IssueEntry entry(bool bf16) {
  return {.issue = kIssue, .bf16 = bf16, .n = kN, .kernel = wgmma_issue_kernel<T, kN, kIssue>};
}

}  // namespace

std::span<const IssueEntry> wgmma_entries() {
  constexpr Issue kShared = Issue::wgmma_shared, kRegisters = Issue::wgmma_registers;
  static const IssueEntry kEntries[] = {
      entry<__half, 64, kShared>(false),           entry<__half, 128, kShared>(false),
      entry<__half, 256, kShared>(false),          entry<__half, 64, kRegisters>(false),
      entry<__half, 128, kRegisters>(false),       entry<__half, 256, kRegisters>(false),
      entry<__nv_bfloat16, 64, kShared>(true),     entry<__nv_bfloat16, 128, kShared>(true),
      entry<__nv_bfloat16, 256, kShared>(true),    entry<__nv_bfloat16, 64, kRegisters>(true),
      entry<__nv_bfloat16, 128, kRegisters>(true), entry<__nv_bfloat16, 256, kRegisters>(true)};
  return kEntries;
}

}  // namespace kernels

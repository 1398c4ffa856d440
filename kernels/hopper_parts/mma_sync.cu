// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "kernels/hopper_parts/fragments.cuh"
#include "kernels/hopper_parts/issue_kernels.hpp"

namespace kernels {
namespace {

constexpr int kWarpRows = 16, kColumnsOfOne = 8, kDepthOfOne = 16;
constexpr int kAcross = kIssueSyncN / kColumnsOfOne, kSteps = kIssueDepth / kDepthOfOne;

#define KG_MMA(TYPE)                                                                  \
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." TYPE "." TYPE                 \
               ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])           \
               : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]))

__device__ __forceinline__ void multiply(__half, float* sums, const std::uint32_t (&left)[4],
                                         const std::uint32_t (&right)[2]) {
  KG_MMA("f16");
}
__device__ __forceinline__ void multiply(__nv_bfloat16, float* sums, const std::uint32_t (&left)[4],
                                         const std::uint32_t (&right)[2]) {
  KG_MMA("bf16");
}
#undef KG_MMA

// 8 rows of B^T by 16 of K.
__device__ __forceinline__ void load_right(std::uint32_t (&right)[2], const void* b, int row, int k) {
  const int lane = threadIdx.x % 32;
  const auto* words = static_cast<const std::uint32_t*>(b) + (row + lane / 4) * (kIssueDepth / 2) + k / 2 + lane % 4;
  right[0] = words[0];
  right[1] = words[4];
}

template <class T>
__global__ void mma_sync_kernel(const void* a, const void* b, float* d, int rounds) {
  const std::size_t row = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32 * kWarpRows;
  std::uint32_t left[kSteps][4], right[kAcross][kSteps][2];
  float sums[4 * kAcross] = {};
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    load_left(left[step], static_cast<const T*>(a) + row * kIssueDepth, step * kDepthOfOne);
#pragma unroll
    for (int i = 0; i < kAcross; ++i)
      load_right(right[i][step], static_cast<const T*>(b) + std::size_t{blockIdx.x} * kIssueSyncN * kIssueDepth,
                 i * kColumnsOfOne, step * kDepthOfOne);
  }
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int step = 0; step < kSteps; ++step)
#pragma unroll
      for (int i = 0; i < kAcross; ++i) multiply(T{}, sums + 4 * i, left[step], right[i][step]);
  store_sums(sums, d + row * kIssueSyncN, kIssueSyncN);
}

}  // namespace

std::span<const IssueEntry> mma_sync_entries() {
  static const IssueEntry kEntries[] = {
      {.issue = Issue::mma_sync, .bf16 = false, .n = kIssueSyncN, .kernel = mma_sync_kernel<__half>},
      {.issue = Issue::mma_sync, .bf16 = true, .n = kIssueSyncN, .kernel = mma_sync_kernel<__nv_bfloat16>}};
  return kEntries;
}

}  // namespace kernels

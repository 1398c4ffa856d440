// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parameters of the tunable kernel and which combinations of them it works with. Pure.

namespace kernels::attention {

// A thread block computes block_m queries of one head against block_n keys at a time, `stages` blocks of keys and
// values being there or on their way.
struct Tuning {
  int block_m = 64, block_n = 64, num_warps = 4, stages = 2;
};

inline constexpr int kSharedOfBlockMax = 227 * 1024;  // of Hopper
inline constexpr int kTunableSums = 224;              // fp32 registers of a thread for scores and sums, of 255

[[nodiscard]] constexpr int tunable_rows_of_warp(const Tuning& tuning) { return tuning.block_m / tuning.num_warps; }
[[nodiscard]] constexpr int tunable_sums(const Tuning& tuning, int depth) {
  return tunable_rows_of_warp(tuning) / 16 * (tuning.block_n / 2 + depth / 2);
}
[[nodiscard]] constexpr int tunable_shared_bytes(const Tuning& tuning, int depth) {
  return (tuning.block_m + 2 * tuning.stages * tuning.block_n) * depth * 2;
}

// What a tunable kernel refuses to be compiled with, for host code that lists combinations; null where it works.
[[nodiscard]] constexpr const char* tuning_refusal(const Tuning& tuning, int depth) {
  if (tuning.num_warps < 1 || tuning.num_warps > 32) return "a thread block has 1 to 32 warps";
  if (tuning.block_m < 1 || tuning.block_m % (16 * tuning.num_warps) != 0)
    return "BLOCK_M gives each warp whole steps of 16 queries";
  if (tuning.block_n < 16 || tuning.block_n % 16 != 0) return "BLOCK_N is whole steps of 16 keys";
  if (tuning.stages < 1 || tuning.stages > 8) return "there are 1 to 8 stages";
  if (tunable_sums(tuning, depth) > kTunableSums) return "scores and sums of a thread fit its registers";
  if (tunable_shared_bytes(tuning, depth) > kSharedOfBlockMax) return "queries and stages fit the shared memory";
  return nullptr;
}

}  // namespace kernels::attention

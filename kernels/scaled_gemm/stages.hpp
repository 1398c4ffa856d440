// SPDX-License-Identifier: Apache-2.0
#pragma once

// What of a multiprocessor's shared memory goes where: stages of operands first, as many as fit beside the smallest
// epilogue, then buffers of the epilogue from what is left. Pure, for host and device code.

namespace kernels::scaled {

inline constexpr int kSharedMax = 227 * 1024;
inline constexpr int kSharedAlignment = 1024, kBarrierBytes = 256;
inline constexpr int kStagesMax = kBarrierBytes / 16;
inline constexpr int kDepth = 128;    // of a stage, in K: a row of the widest swizzle, and one scale
inline constexpr int kWaveRows = 64;  // of one product

// Warpgroups that multiply: with a wave of 64 rows each where three of them make a tile.
[[nodiscard]] constexpr int consumers_of(int rows) { return rows % (3 * kWaveRows) == 0 ? 3 : 2; }

struct StagePlan {
  int stages = 0;
  int buffers = 0;  // of the epilogue, for each consumer: 64 rows x store_columns of bf16
  int store_columns = 0;
  int stage_bytes = 0, scale_bytes = 0, buffer_bytes = 0, shared_bytes = 0;  // scales of A lie apart from the operands
};

// `stages` asks for so many; 0: as many as fit. No stages in the answer: they do not fit.
[[nodiscard]] constexpr StagePlan plan_stages(int rows, int columns, int stages = 0) {
  StagePlan plan;
  const int consumers = consumers_of(rows);
  plan.store_columns = columns % 64 == 0 ? 64 : 32;
  plan.stage_bytes = (rows + columns) * kDepth;
  plan.scale_bytes = rows * 4;
  plan.buffer_bytes = kWaveRows * plan.store_columns * 2;
  const int room = kSharedMax - kSharedAlignment - kBarrierBytes, each = plan.stage_bytes + plan.scale_bytes;
  const int most = (room - consumers * plan.buffer_bytes) / each;
  const int capped = most < kStagesMax ? most : kStagesMax;
  if (stages > capped || capped < 1) return plan;
  plan.stages = stages > 0 ? stages : capped;
  const int parts = rows / (consumers * kWaveRows) * (columns / plan.store_columns);
  const int left = (room - plan.stages * each) / (consumers * plan.buffer_bytes);
  plan.buffers = left < parts ? left : parts;
  plan.shared_bytes =
      kSharedAlignment + kBarrierBytes + plan.stages * each + consumers * plan.buffers * plan.buffer_bytes;
  return plan;
}

}  // namespace kernels::scaled

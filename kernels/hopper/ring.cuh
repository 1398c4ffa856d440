// SPDX-License-Identifier: Apache-2.0
#pragma once

// The barriers of a ring of stages in shared memory: a loading thread fills stages by the copy engine as they become
// free, warps that multiply wait until they are full and say when they have read them. Owns 16 bytes a stage; where the
// stages' data lies is the kernel's. Device code of sm_90 only.

#include "kernels/hopper/barrier.cuh"
#include "kernels/hopper/layout.hpp"

namespace kernels::hopper {

template <int kStages>
struct RingBarriers {
  static constexpr int kBytes = kStages * 2 * 8;
  std::uint32_t full, empty;

  __device__ explicit RingBarriers(std::uint32_t at) : full(at), empty(at + kStages * 8) {}
  __device__ std::uint32_t full_at(int stage) const { return full + stage * 8; }
  __device__ std::uint32_t empty_at(int stage) const { return empty + stage * 8; }

  // By one thread, before the others touch it. A stage is free once `readers` arrivals have come.
  __device__ void init(int readers) const {
    for (int i = 0; i < kStages; ++i) {
      barrier_init(full_at(i), 1);
      barrier_init(empty_at(i), readers);
    }
  }

  __device__ void wait_full(const Turn<kStages>& turn) const { wait(full_at(turn.stage), turn.phase); }
  __device__ void wait_empty(const Turn<kStages>& turn) const { wait(empty_at(turn.stage), turn.phase ^ 1); }
  // The same in every block of a cluster of `blocks`, whose copies fill one another's stages.
  __device__ void release_by_warp(int stage, int blocks) const {
    const int lane = threadIdx.x % kWarp;
    if (lane < blocks) arrive_in(empty_at(stage), static_cast<std::uint32_t>(lane));
  }
  // One arrival for each warp that has read the stage.
  __device__ void release_by_warp(int stage) const {
    if (threadIdx.x % kWarp == 0) arrive(empty_at(stage));
  }
};

}  // namespace kernels::hopper

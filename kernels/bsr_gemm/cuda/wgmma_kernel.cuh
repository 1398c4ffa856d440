// SPDX-License-Identifier: Apache-2.0
#pragma once

// The wgmma kernel: persistent blocks of one loading warpgroup and two that multiply, joined by a ring of stages.
//
// Tiles of 64 and 128 rows multiply a block of A with 256 columns of B at a time. Tiles of 32 rows would leave half of
// an instruction's 64 rows idle, so they are computed transposed: 64 columns of B by the block's 32 rows.

#include "kernels/bsr_gemm/cuda/wgmma_tile.cuh"
#include "kernels/hopper/fragments.cuh"
#include "kernels/hopper/wgmma.cuh"

namespace kernels::bsr {

// 64 rows and 256 columns of a warpgroup: with 128-row tiles the groups have their own rows, else their own columns.
template <class T, class Shape>
struct RowSums {
  static constexpr hopper::Swizzle kSwizzleA = hopper::Swizzle{Shape::kDepth * kElementBytes};
  static constexpr int kGroupColumns = 256;
  float sums[128];

  __device__ void clear() {
#pragma unroll
    for (int i = 0; i < 128; ++i) sums[i] = 0;
  }
  __device__ void hold() { hopper::hold(sums); }

  __device__ void multiply(const Ring<Shape>& ring, int stage, int group) {
    const int rows = Shape::kOwnRows ? 64 * group : 0, columns = Shape::kOwnRows ? 0 : kGroupColumns * group;
    const std::uint32_t a = ring.a(stage) + rows * Shape::kDepth * kElementBytes;
    const std::uint32_t b = ring.b(stage) + columns / kBBoxColumns * Shape::kBoxBytes;
#pragma unroll
    for (int k = 0; k < Shape::kDepth; k += 16)
      hopper::wgmma<hopper::Sums::keep, hopper::Major::k, hopper::Major::rows>(
          T{}, sums, hopper::descriptor<kSwizzleA>(a + k * kElementBytes, 16),
          hopper::descriptor<hopper::Swizzle::bytes128>(b + k * 128, Shape::kBoxBytes));
  }

  // Each warp its 16 rows, a few columns at a time.
  __device__ void store(const WgmmaArguments& given, const Ring<Shape>& ring, const Tile& tile, int group) {
    constexpr int kWidth = Shape::kStoreColumns, kRowBytes = kWidth * kElementBytes;
    const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp % 4;
    const int row0 = tile.row + warp * 16 + (Shape::kOwnRows ? 64 * group : 0);
    const int column0 = tile.column + (Shape::kOwnRows ? 0 : kGroupColumns * group);
    const std::uint32_t mine = ring.staging + (group * 4 + warp) * Shape::kStoreBuffers * Shape::kStoreBytes;
    const int row = lane % 8 + 8 * (lane / 8 % 2);
#pragma unroll
    for (int part = 0; part < kGroupColumns / kWidth; ++part) {
      const std::uint32_t buffer = mine + part % Shape::kStoreBuffers * Shape::kStoreBytes;
      if (lane == 0) hopper::wait_stores_read<Shape::kStoreBuffers - 1>();
      __syncwarp();
#pragma unroll
      for (int pair = 0; pair < kWidth / 16; ++pair) {
        const int from = (part * kWidth + pair * 16) / 2;
        std::uint32_t words[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) words[i] = hopper::pack(T{}, sums[from + 2 * i], sums[from + 2 * i + 1]);
        const int piece = 2 * pair + lane / 16;
        const int swizzled = kRowBytes == 128 ? piece ^ row % 8 : piece ^ row / 2 % 4;
        hopper::store_matrices(buffer + row * kRowBytes + swizzled * 16, words);
      }
      hopper::fence_for_copies();
      __syncwarp();
      if (lane == 0) {
        if (column0 + part * kWidth < given.n)
          hopper::store(given.c, buffer, column0 + part * kWidth, row0, hopper::Keep::briefly);
        hopper::commit_stores();
      }
    }
  }
};

// 64 columns x 32 rows of transposed sums as 32 rows of 64 columns, in the copy engine's order.
template <class T>
__device__ __forceinline__ void stage_transposed(const float (&sums)[16], std::uint32_t to) {
  const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp % 4;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    std::uint32_t words[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) words[i] = hopper::pack(T{}, sums[8 * half + 2 * i], sums[8 * half + 2 * i + 1]);
    const int row = 16 * half + 8 * (lane / 16) + lane % 8, piece = 2 * warp + lane / 8 % 2;
    hopper::store_transposed(to + row * 128 + (piece ^ row % 8) * 16, words);
  }
}

// 32 rows and 256 columns of a warpgroup, transposed: four times 64 columns x 32 rows.
template <class T, class Shape>
struct ColumnSums {
  static constexpr hopper::Swizzle kSwizzleA = hopper::Swizzle{Shape::kDepth * kElementBytes};
  static constexpr int kParts = 4, kPartBytes = 32 * 128;
  float sums[kParts][16];

  __device__ void clear() {
#pragma unroll
    for (int part = 0; part < kParts; ++part)
#pragma unroll
      for (int i = 0; i < 16; ++i) sums[part][i] = 0;
  }
  __device__ void hold() {
#pragma unroll
    for (int part = 0; part < kParts; ++part) hopper::hold(sums[part]);
  }

  __device__ void multiply(const Ring<Shape>& ring, int stage, int group) {
    const std::uint32_t b = ring.b(stage) + kParts * group * Shape::kBoxBytes;
#pragma unroll
    for (int k = 0; k < Shape::kDepth; k += 16)
#pragma unroll
      for (int part = 0; part < kParts; ++part)
        hopper::wgmma<hopper::Sums::keep, hopper::Major::rows, hopper::Major::k>(
            T{}, sums[part], hopper::descriptor<hopper::Swizzle::bytes128>(b + part * Shape::kBoxBytes + k * 128, 16),
            hopper::descriptor<kSwizzleA>(ring.a(stage) + k * kElementBytes, 16));
  }

  __device__ void store(const WgmmaArguments& given, const Ring<Shape>& ring, const Tile& tile, int group) {
    const int thread = threadIdx.x % kWarpgroup;
    const std::uint32_t mine = ring.staging + group * kParts * kPartBytes;
    if (thread == 0) hopper::wait_stores_read<0>();
    hopper::warpgroup_sync(group + 1);
#pragma unroll
    for (int part = 0; part < kParts; ++part) stage_transposed<T>(sums[part], mine + part * kPartBytes);
    hopper::fence_for_copies();
    hopper::warpgroup_sync(group + 1);
    if (thread != 0) return;
    for (int part = 0; part < kParts; ++part) {
      const int x = tile.column + (kParts * group + part) * kBBoxColumns;
      if (x < given.n) hopper::store(given.c, mine + part * kPartBytes, x, tile.row, hopper::Keep::briefly);
    }
    hopper::commit_stores();
  }
};

template <class Sums, class Shape>
__device__ __forceinline__ void consume(const WgmmaArguments& given, const Ring<Shape>& ring, int worker, int group) {
  hopper::Turn<Shape::kStages> turn;
  int at = given.first[worker];
  const int last = given.first[worker + 1];
  if (at == last) return;
  Tile tile = given.tiles[at];
  Sums sums;
  for (; at < last; ++at) {
    const Tile next = given.tiles[at + 1 < last ? at + 1 : at];
    const int steps = (tile.end - tile.begin) * (given.block_columns / Shape::kDepth);
    sums.clear();
    int before = 0;
    for (int step = 0; step < steps; ++step) {
      ring.wait_full(turn);
      sums.hold();
      hopper::wgmma_begin();
      sums.multiply(ring, turn.stage, group);
      hopper::wgmma_commit();
      sums.hold();
      hopper::wgmma_wait<1>();
      if (step > 0) ring.release_by_warp(before);
      before = turn.stage;
      turn.next();
    }
    hopper::wgmma_wait<0>();
    sums.hold();
    if (steps > 0) ring.release_by_warp(before);
    sums.store(given, ring, tile, group);
    tile = next;
  }
  hopper::wait_stores_read<0>();
}

template <class T, class Shape>
__global__ void __launch_bounds__(kWgmmaThreads, 1) wgmma_kernel(const __grid_constant__ WgmmaArguments given) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL  // elsewhere nobody launches it: see common/built_for.hpp
  extern __shared__ unsigned char shared[];
  const Ring<Shape> ring(hopper::shared_address(shared));
  if (threadIdx.x == 0) {
    hopper::prefetch(given.a);
    hopper::prefetch(given.b);
    hopper::prefetch(given.c);
    ring.init();
  }
  __syncthreads();

  const int group = threadIdx.x / kWarpgroup, worker = blockIdx.x;
  if (group == kConsumers) {
    hopper::give_registers<56>();
    if (threadIdx.x / kWarp == kConsumers * kWarpgroupWarps) produce(given, ring, worker);
  } else {
    hopper::take_registers<224>();
    using Sums = std::conditional_t<Shape::kRows == 32, ColumnSums<T, Shape>, RowSums<T, Shape>>;
    consume<Sums>(given, ring, worker, group);
  }
#endif
}

template <class T, int kRows, int kDepth>
WgmmaKernel wgmma_entry() {
  using Shape = TileShape<kRows, kDepth>;
  return {.config = {kRows, Shape::kColumns, kDepth},
          .kernel = wgmma_kernel<T, Shape>,
          .shared_bytes = Shape::kSharedBytes,
          .store_box_columns = kRows == 32 ? kBBoxColumns : Shape::kStoreColumns,
          .store_box_rows = kRows == 32 ? 32 : 16};
}

template <class T>
std::span<const WgmmaKernel> wgmma_entries() {
  static const WgmmaKernel kEntries[] = {wgmma_entry<T, 128, 64>(), wgmma_entry<T, 128, 32>(), wgmma_entry<T, 64, 64>(),
                                         wgmma_entry<T, 64, 32>(), wgmma_entry<T, 32, 32>()};
  return kEntries;
}

}  // namespace kernels::bsr

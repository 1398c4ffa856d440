// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tunable attention kernel: warps of 16 or more queries each, copies some blocks of keys ahead (cp.async), products
// by mma.sync. One thread block a tile of queries, the last tiles of all heads first.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <utility>

#include "kernels/attention/cuda/mask.cuh"
#include "kernels/attention/cuda/softmax.cuh"
#include "kernels/attention/cuda/tunable.hpp"
#include "kernels/hopper/fragments.cuh"

namespace kernels::attention {

template <int kHeadDepth, Tuning kTuning>
struct TunableShape {
  static constexpr int kDepth = kHeadDepth, kRows = kTuning.block_m, kColumns = kTuning.block_n;
  static constexpr int kStages = kTuning.stages, kThreads = kTuning.num_warps * 32;
  // None is refused below, in a sentence that should be the compiler's only one.
  static constexpr int kWarpRows = tunable_rows_of_warp(kTuning), kFragments = kWarpRows < 16 ? 1 : kWarpRows / 16;
  static constexpr int kRowBytes = kDepth * 2, kPieces = kRowBytes / 16;
  static constexpr int kQueryBytes = kRows * kRowBytes, kKeyBytes = kColumns * kRowBytes;
  static constexpr bool kLazy = true;

  static_assert(kTuning.num_warps >= 1 && kTuning.num_warps <= 32, "a thread block has 1 to 32 warps");
  static_assert(kRows > 0 && kRows % (16 * kTuning.num_warps) == 0,
                "BLOCK_M gives each warp whole steps of 16 queries");
  static_assert(kColumns >= 16 && kColumns % 16 == 0, "BLOCK_N is whole steps of 16 keys");
  static_assert(kStages >= 1 && kStages <= 8, "there are 1 to 8 stages");
  static_assert(tunable_sums(kTuning, kDepth) <= kTunableSums, "scores and sums of a thread fit its registers");
  static_assert(tunable_shared_bytes(kTuning, kDepth) <= kSharedOfBlockMax, "queries and stages fit the shared memory");
  static_assert(kDepth % 64 == 0, "rows are whole panels of eight pieces of 16 bytes");
};

__device__ __forceinline__ std::uint32_t shared_at(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}
// 16 bytes, or zeros where `there` is false.
__device__ __forceinline__ void copy_piece(std::uint32_t to, const void* from, bool there) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(there ? 16 : 0) : "memory");
}
__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int kPending>
__device__ __forceinline__ void wait_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}
__device__ __forceinline__ void load_matrices(std::uint32_t (&to)[4], std::uint32_t row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(row)
               : "memory");
}
__device__ __forceinline__ void load_transposed(std::uint32_t (&to)[4], std::uint32_t row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(row)
               : "memory");
}

#define KG_MMA(TYPE)                                                                  \
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." TYPE "." TYPE                 \
               ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])           \
               : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right), "r"(next_right))
__device__ __forceinline__ void multiply(__half, float* sums, const std::uint32_t (&left)[4], std::uint32_t right,
                                         std::uint32_t next_right) {
  KG_MMA("f16");
}
__device__ __forceinline__ void multiply(__nv_bfloat16, float* sums, const std::uint32_t (&left)[4],
                                         std::uint32_t right, std::uint32_t next_right) {
  KG_MMA("bf16");
}
#undef KG_MMA

// One head's rows, of which some are copied into shared memory with their pieces exchanged, so that eight rows of one
// column of pieces lie in different banks.
template <class Shape>
struct Rows {
  const unsigned char* first;
  std::int64_t stride_bytes;
  int count;

  static __device__ __forceinline__ std::uint32_t place(int row, int piece) {
    return static_cast<std::uint32_t>(row * Shape::kRowBytes + (piece ^ row % 8) * 16);
  }
  template <int kCount>
  __device__ __forceinline__ void copy(std::uint32_t to, int from) const {
    for (int i = threadIdx.x; i < kCount * Shape::kPieces; i += Shape::kThreads) {
      const int row = i / Shape::kPieces, piece = i % Shape::kPieces;
      const bool there = from + row < count;
      copy_piece(to + place(row, piece), first + (there ? from + row : 0) * stride_bytes + piece * 16, there);
    }
  }
};

template <class Shape>
__device__ Rows<Shape> rows_of(const void* data, const Strides& strides, int batch, int head, int count) {
  return {static_cast<const unsigned char*>(data) + 2 * (batch * strides.batch + head * strides.head), 2 * strides.row,
          count};
}

template <int kFragments>
struct Limits {
  RowLimits of[kFragments];
};

template <class T, class Shape>
struct Warp {
  static constexpr int kFragments = Shape::kFragments;
  float out[kFragments][Shape::kDepth / 2] = {};
  Softmax<Shape> softmax[kFragments];

  // `row` is the warp's first one of the tile.
  __device__ __forceinline__ void step(std::uint32_t queries, std::uint32_t keys, std::uint32_t values, int row,
                                       const RowLimits (&limits)[kFragments], bool masked, int column, float scale) {
    const int lane = threadIdx.x % 32;
    float scores[kFragments][Shape::kColumns / 2] = {};
#pragma unroll
    for (int k = 0; k < Shape::kDepth / 16; ++k) {
      std::uint32_t left[kFragments][4], right[4];
#pragma unroll
      for (int i = 0; i < kFragments; ++i)
        load_matrices(left[i], queries + Rows<Shape>::place(row + 16 * i + lane % 16, 2 * k + lane / 16));
#pragma unroll
      for (int n = 0; n < Shape::kColumns / 16; ++n) {
        load_matrices(right, keys + Rows<Shape>::place(16 * n + lane % 8 + lane / 16 * 8, 2 * k + lane / 8 % 2));
#pragma unroll
        for (int i = 0; i < kFragments; ++i) {
          multiply(T{}, scores[i] + 8 * n, left[i], right[0], right[1]);
          multiply(T{}, scores[i] + 8 * n + 4, left[i], right[2], right[3]);
        }
      }
    }
    std::uint32_t weights[kFragments][Shape::kColumns / 16][4];
#pragma unroll
    for (int i = 0; i < kFragments; ++i) {
      if (masked) limits[i].apply(scores[i], column);
      softmax[i].next(scores[i], scale).apply(out[i]);
#pragma unroll
      for (int n = 0; n < Shape::kColumns / 16; ++n)
#pragma unroll
        for (int part = 0; part < 4; ++part)
          weights[i][n][part] = hopper::pack(T{}, scores[i][8 * n + 2 * part], scores[i][8 * n + 2 * part + 1]);
    }
#pragma unroll
    for (int n = 0; n < Shape::kColumns / 16; ++n)
#pragma unroll
      for (int d = 0; d < Shape::kDepth / 16; ++d) {
        std::uint32_t right[4];
        load_transposed(right, values + Rows<Shape>::place(16 * n + lane % 16, 2 * d + lane / 16));
#pragma unroll
        for (int i = 0; i < kFragments; ++i) {
          multiply(T{}, out[i] + 8 * d, weights[i][n], right[0], right[1]);
          multiply(T{}, out[i] + 8 * d + 4, weights[i][n], right[2], right[3]);
        }
      }
  }

  __device__ __forceinline__ void store(const TunableArguments& given, int batch, int head, int first_row) {
    const int lane = threadIdx.x % 32;
    auto* const base =
        static_cast<unsigned char*>(given.o) + 2 * (batch * given.o_strides.batch + head * given.o_strides.head);
#pragma unroll
    for (int i = 0; i < kFragments; ++i) {
      softmax[i].finish(out[i]);
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int row = first_row + 16 * i + 8 * half + lane / 4;
        if (row >= given.queries) continue;
        auto* const words = reinterpret_cast<std::uint32_t*>(base + 2 * row * given.o_strides.row) + lane % 4;
#pragma unroll
        for (int d = 0; d < Shape::kDepth / 8; ++d)
          words[4 * d] = hopper::pack(T{}, out[i][4 * d + 2 * half], out[i][4 * d + 2 * half + 1]);
      }
    }
  }
};

template <class T, class Shape>
__global__ void __launch_bounds__(Shape::kThreads) tunable_attention_kernel(const TunableArguments given) {
  extern __shared__ __align__(128) unsigned char memory[];
  const std::uint32_t queries = shared_at(memory), stages = queries + Shape::kQueryBytes;
  const int head = blockIdx.x % given.heads, batch = blockIdx.x / given.heads;
  const int first_row = static_cast<int>(gridDim.y - 1 - blockIdx.y) * Shape::kRows;
  const int key_head = head / given.heads_per_key_head;
  const auto k = rows_of<Shape>(given.k, given.k_strides, batch, key_head, given.mask.keys);
  const auto v = rows_of<Shape>(given.v, given.v_strides, batch, key_head, given.mask.keys);
  const KeyBlocks blocks(given.mask, first_row, first_row + Shape::kRows - 1, Shape::kColumns);
  const auto load = [&](int block) {
    const std::uint32_t to = stages + block % Shape::kStages * 2 * Shape::kKeyBytes;
    if (block < blocks.count) {
      k.template copy<Shape::kColumns>(to, block * Shape::kColumns);
      v.template copy<Shape::kColumns>(to + Shape::kKeyBytes, block * Shape::kColumns);
    }
    commit_copies();
  };
  rows_of<Shape>(given.q, given.q_strides, batch, head, given.queries).template copy<Shape::kRows>(queries, first_row);
#pragma unroll
  for (int block = 0; block < Shape::kStages; ++block) load(block);

  const int row = static_cast<int>(threadIdx.x / 32) * Shape::kWarpRows;
  const auto limits = [&]<int... kI>(std::integer_sequence<int, kI...>) {
    return Limits<Shape::kFragments>{{RowLimits(given.mask, first_row + row + 16 * kI)...}};
  }
  (std::make_integer_sequence<int, Shape::kFragments>{});
  Warp<T, Shape> warp;
  for (int block = 0; block < blocks.count; ++block) {
    wait_copies<Shape::kStages - 1>();
    __syncthreads();
    const std::uint32_t keys = stages + block % Shape::kStages * 2 * Shape::kKeyBytes;
    warp.step(queries, keys, keys + Shape::kKeyBytes, row, limits.of, block >= blocks.masked, block * Shape::kColumns,
              given.scale_log2);
    __syncthreads();
    load(block + Shape::kStages);
  }
  warp.store(given, batch, head, first_row + row);
}

template <class T, int kDepth, Tuning kTuning>
TunableKernel tunable_kernel() {
  using Shape = TunableShape<kDepth, kTuning>;
  return {kTuning, kDepth, tunable_shared_bytes(kTuning, kDepth), tunable_attention_kernel<T, Shape>};
}

template <class T>
std::span<const TunableKernel> tunable_kernels_of() {
  static const TunableKernel kKernels[] = {
      tunable_kernel<T, 64, Tuning{64, 64, 4, 1}>(),  tunable_kernel<T, 64, Tuning{64, 64, 4, 2}>(),
      tunable_kernel<T, 64, Tuning{128, 64, 4, 2}>(), tunable_kernel<T, 64, Tuning{128, 32, 8, 3}>(),
      tunable_kernel<T, 128, Tuning{64, 64, 4, 2}>(), tunable_kernel<T, 128, Tuning{128, 64, 8, 2}>(),
      tunable_kernel<T, 256, Tuning{64, 32, 4, 2}>()};
  return kKernels;
}

}  // namespace kernels::attention

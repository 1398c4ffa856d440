// SPDX-License-Identifier: Apache-2.0
#pragma once

// The mask as tiles and threads meet it. Device code; a thread holds two rows of 16, eight apart, and pairs of columns,
// as the matrix instructions spread sums.

#include "kernels/attention/cuda/mask.hpp"

namespace kernels::attention {

// Blocks of keys that some rows of queries meet: all before `count`, of which those from `masked` on need the mask.
// Rows that see no key have one block, which is masked as a whole.
struct KeyBlocks {
  int count, masked;

  __device__ KeyBlocks(int blocks, int first_masked) : count(blocks), masked(first_masked) {}
  __device__ KeyBlocks(const Mask& mask, int first_row, int last_row, int columns)
      : count((mask.keys + columns - 1) / columns), masked(mask.keys / columns) {
    if (mask.causal) {
      const int seen_by_first = max(first_row + mask.diagonal + 1, 0);
      const int seen_by_last = max(last_row + mask.diagonal + 1, 0);
      count = min(count, (seen_by_last + columns - 1) / columns);
      masked = min(masked, seen_by_first / columns);
    }
    count = max(count, 1);
  }
};

// How many keys the thread's two rows see.
struct RowLimits {
  int limit[2];  // counted from the thread's first column

  // `first_row` is the first of the warp's 16 rows.
  __device__ RowLimits(const Mask& mask, int first_row) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = first_row + half * 8 + lane / 4;
      const int seen = mask.causal ? min(mask.keys, row + mask.diagonal + 1) : mask.keys;
      limit[half] = seen - lane % 4 * 2;
    }
  }
  template <int kCount>
  __device__ __forceinline__ void apply(float (&scores)[kCount], int first_column) const {
    const int low = limit[0] - first_column, high = limit[1] - first_column;
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      const int column = i / 4 * 8 + i % 2;
      if (column >= (i % 4 < 2 ? low : high)) scores[i] = -INFINITY;
    }
  }
};

}  // namespace kernels::attention

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Boxes of a matrix of 16-bit floats from global to shared memory by the tensor copy engine, and nothing else: each
// block keeps some boxes on their way and looks at a little of each that has arrived. Needs sm_90 (built_for.hpp).

#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstddef>

namespace kernels {

inline constexpr int kTmaLanes = 32;  // that look at what arrives; a second warp of the block fills the stages

struct TmaShape {
  int rows = 0, columns = 0;  // of the matrix; columns are a multiple of 8
  int box_rows = 0, box_columns = 0, stages = 1;

  [[nodiscard]] __host__ __device__ constexpr int box_bytes() const { return box_rows * box_columns * 2; }
  [[nodiscard]] __host__ __device__ constexpr int boxes_across() const {
    return (columns + box_columns - 1) / box_columns;
  }
  [[nodiscard]] __host__ __device__ constexpr int boxes() const {
    return boxes_across() * ((rows + box_rows - 1) / box_rows);
  }
  // Stages begin where the 128-byte swizzle repeats; four words more a stage are for its barriers.
  [[nodiscard]] constexpr std::size_t shared_bytes() const {
    return 1024 + static_cast<std::size_t>(stages) * (static_cast<std::size_t>(box_bytes()) + 16);
  }
};

// The matrix of halves for the functions below.
[[nodiscard]] CUtensorMap tma_map(const TmaShape& shape, const void* matrix);

// Load i, from 0, of block b of `blocks` is box (b + i blocks) modulo boxes(), as long as b + i blocks < loads. Of it
// lane l reads one element, the `tma_sampled_element`-th in the order of rows; out[b] is the sum of all that it read.
[[nodiscard]] __host__ __device__ constexpr int tma_sampled_element(int elements, int load, int lane) {
  return (lane * (elements / kTmaLanes) + load) % elements;
}
void tma_load(const CUtensorMap& map, const TmaShape& shape, int loads, float* out, int blocks, cudaStream_t stream);

// The same loads, each box once, with out[box] = the sum over all its elements of element x weight(row, column) in the
// box; what lies outside the matrix is zero.
[[nodiscard]] __host__ __device__ constexpr int tma_weight(int row, int column) { return (column + 3 * row) % 7 + 1; }
void tma_checksums(const CUtensorMap& map, const TmaShape& shape, float* out, int blocks, cudaStream_t stream);

}  // namespace kernels

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Attention forward: O = softmax(scale Q K^T + mask) V for each head. Plain C++, what every variant is given: sizes,
// strides in elements and pointers that the caller owns. Rows that see no key are zero.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace kernels::attention {

enum class DataType { fp16, bf16 };
[[nodiscard]] constexpr const char* to_string(DataType type) { return type == DataType::fp16 ? "fp16" : "bf16"; }

struct Shape {
  int batch = 1, heads = 1, key_heads = 1;  // heads / key_heads of them share keys and values
  int queries = 1, keys = 1, depth = 64;
  bool causal = false;
  int diagonal = 0;  // causal: row i sees keys up to i + diagonal

  [[nodiscard]] constexpr std::size_t query_count() const {
    return static_cast<std::size_t>(batch) * heads * queries * depth;
  }
  [[nodiscard]] constexpr std::size_t key_count() const {
    return static_cast<std::size_t>(batch) * key_heads * keys * depth;
  }
  // Keys that row `row` sees.
  [[nodiscard]] constexpr int seen(int row) const {
    if (!causal) return keys;
    const int limit = row + diagonal + 1;
    return limit < 0 ? 0 : limit < keys ? limit : keys;
  }
};

// Elements from one batch, head and row to the next; a row's elements follow each other.
struct Strides {
  std::int64_t batch = 0, head = 0, row = 0;
};
// (batch, head, row, depth) and (batch, row, head, depth), the two that torch lays out.
[[nodiscard]] constexpr Strides heads_first(int heads, int rows, int depth) {
  return {std::int64_t{heads} * rows * depth, std::int64_t{rows} * depth, depth};
}
[[nodiscard]] constexpr Strides rows_first(int heads, int rows, int depth) {
  return {std::int64_t{heads} * rows * depth, depth, std::int64_t{heads} * depth};
}

// Sequences one behind the other: sequence i has the rows from offsets[i] to offsets[i + 1], which may be none. Causal:
// row i of `queries` sees keys up to i + keys - queries + diagonal, so that the last query sees all keys. The offsets
// are on the GPU and read at each launch; rows of no sequence are left as they are.
struct PackedSequences {
  const std::int32_t *query_offsets = nullptr, *key_offsets = nullptr;  // batch + 1 of each
  int longest_queries = 0, longest_keys = 0;                            // what no sequence exceeds
};

// Blocks of keys that a block of queries sees, as a BSR matrix: row r of it has blocks[offsets[r]] to
// blocks[offsets[r + 1] - 1], ascending, each once. Its rows are the blocks of queries of each head of each batch, or
// fewer where heads or batches share them. On the GPU, and read at each launch.
struct BlockPattern {
  const std::int32_t *offsets = nullptr, *blocks = nullptr;
  int rows = 128, columns = 128;  // queries and keys of a block; the last ones may be cut short
  bool per_head = false, per_batch = false;
};

enum class Layout { dense, packed, sparse };

struct Problem {
  DataType type = DataType::fp16;
  Shape shape;  // of packed sequences: `batch` of them, and the rows of all together
  float scale = 1;
  const void *q = nullptr, *k = nullptr, *v = nullptr;
  void* o = nullptr;
  Strides q_strides, k_strides, v_strides, o_strides;  // packed: `batch` is not looked at
  PackedSequences packed = {};
  BlockPattern sparse = {};

  [[nodiscard]] constexpr Layout layout() const {
    return packed.query_offsets != nullptr ? Layout::packed
           : sparse.offsets != nullptr     ? Layout::sparse
                                           : Layout::dense;
  }
};

// Why the sizes make no problem; null where they do.
[[nodiscard]] const char* shape_refusal(const Shape& shape);

// Multiplications and additions of both products, without what the mask leaves out.
[[nodiscard]] double flops_of(const Shape& shape);

[[nodiscard]] std::string to_string(const Shape& shape);

}  // namespace kernels::attention

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Packed sequences and block patterns on the host: how they are made, and what work they are. Pure.

#include <span>
#include <vector>

#include "kernels/attention/attention.hpp"

namespace kernels::attention {

struct SequenceLength {
  int queries = 0, keys = 0;
};

// What PackedSequences points to, on the host.
struct HostOffsets {
  std::vector<std::int32_t> queries = {0}, keys = {0};
  int longest_queries = 0, longest_keys = 0;

  HostOffsets() = default;
  explicit HostOffsets(std::span<const SequenceLength> lengths);

  // `heads` with the batch, queries and keys of all sequences together.
  [[nodiscard]] Shape packed(Shape heads) const;
  // The problem that sequence `index` is alone.
  [[nodiscard]] Shape sequence(Shape packed, int index) const;
};

// How a pattern is drawn.
struct PatternKind {
  int rows = 128, columns = 128;
  double density = 0.125;  // chance of a block to be there
  double empty_rows = 0;   // chance of a block of queries to see no key at all
  bool diagonal = false;   // the block of a block's first query is always there
  bool per_head = false, per_batch = false;
};

// What BlockPattern points to, on the host.
struct HostPattern {
  PatternKind kind;
  int row_blocks = 0;
  std::vector<std::int32_t> offsets = {0}, blocks;

  [[nodiscard]] std::span<const std::int32_t> seen_by(const Shape& shape, int batch, int head, int query) const;
};
[[nodiscard]] HostPattern random_pattern(const Shape& shape, const PatternKind& kind, std::uint64_t seed);

// As flops_of() of a shape; of patterns the work of the blocks that are there.
[[nodiscard]] double flops_of(const Shape& packed, const HostOffsets& offsets);
[[nodiscard]] double flops_of(const Shape& shape, const HostPattern& pattern);

}  // namespace kernels::attention

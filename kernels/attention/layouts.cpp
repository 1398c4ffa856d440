// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/layouts.hpp"

#include <algorithm>

#include "kernels/common/random.hpp"

namespace kernels::attention {

HostOffsets::HostOffsets(std::span<const SequenceLength> lengths) {
  for (const SequenceLength& one : lengths) {
    queries.push_back(queries.back() + one.queries);
    keys.push_back(keys.back() + one.keys);
    longest_queries = std::max(longest_queries, one.queries);
    longest_keys = std::max(longest_keys, one.keys);
  }
}

Shape HostOffsets::packed(Shape heads) const {
  heads.batch = static_cast<int>(queries.size()) - 1;
  heads.queries = queries.back();
  heads.keys = keys.back();
  return heads;
}

Shape HostOffsets::sequence(Shape packed, int index) const {
  packed.batch = 1;
  packed.queries = queries[index + 1] - queries[index];
  packed.keys = keys[index + 1] - keys[index];
  if (packed.causal) packed.diagonal += packed.keys - packed.queries;
  return packed;
}

std::span<const std::int32_t> HostPattern::seen_by(const Shape& shape, int batch, int head, int query) const {
  int row = query / kind.rows;
  if (kind.per_head) row += head * row_blocks;
  if (kind.per_batch) row += batch * row_blocks * (kind.per_head ? shape.heads : 1);
  return std::span(blocks).subspan(offsets[row], offsets[row + 1] - offsets[row]);
}

HostPattern random_pattern(const Shape& shape, const PatternKind& kind, std::uint64_t seed) {
  Random random(seed);
  HostPattern pattern;
  pattern.kind = kind;
  pattern.row_blocks = (shape.queries + kind.rows - 1) / kind.rows;
  const int copies = (kind.per_head ? shape.heads : 1) * (kind.per_batch ? shape.batch : 1);
  const int columns = (shape.keys + kind.columns - 1) / kind.columns;
  for (int row = 0; row < copies * pattern.row_blocks; ++row) {
    const bool empty = random.unit() < kind.empty_rows;
    const int diagonal = row % pattern.row_blocks * kind.rows / kind.columns;
    for (int column = 0; column < columns; ++column) {
      const bool there = random.unit() < kind.density || (kind.diagonal && column == diagonal);
      if (there && !empty) pattern.blocks.push_back(column);
    }
    pattern.offsets.push_back(static_cast<std::int32_t>(pattern.blocks.size()));
  }
  return pattern;
}

double flops_of(const Shape& packed, const HostOffsets& offsets) {
  double flops = 0;
  for (int i = 0; i < packed.batch; ++i) flops += flops_of(offsets.sequence(packed, i));
  return flops;
}

double flops_of(const Shape& shape, const HostPattern& pattern) {
  double pairs = 0;
  for (int batch = 0; batch < (pattern.kind.per_batch ? shape.batch : 1); ++batch)
    for (int head = 0; head < (pattern.kind.per_head ? shape.heads : 1); ++head)
      for (int row = 0; row < shape.queries; ++row)
        for (const int block : pattern.seen_by(shape, batch, head, row))
          pairs += std::clamp(shape.seen(row) - block * pattern.kind.columns, 0, pattern.kind.columns);
  const int same = (pattern.kind.per_batch ? 1 : shape.batch) * (pattern.kind.per_head ? 1 : shape.heads);
  return 4.0 * same * shape.depth * pairs;
}

}  // namespace kernels::attention

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Offsets and patterns copied to the GPU, for checks and suites.

#include "kernels/attention/layouts.hpp"
#include "kernels/common/device_check.hpp"

namespace kernels::attention {

// The result points into `first` and `second`.
[[nodiscard]] inline PackedSequences on_card(const HostOffsets& offsets, bench::DeviceMemory& first,
                                             bench::DeviceMemory& second) {
  first = to_device(offsets.queries);
  second = to_device(offsets.keys);
  return {.query_offsets = static_cast<const std::int32_t*>(first.data()),
          .key_offsets = static_cast<const std::int32_t*>(second.data()),
          .longest_queries = offsets.longest_queries,
          .longest_keys = offsets.longest_keys};
}

[[nodiscard]] inline BlockPattern on_card(const HostPattern& pattern, bench::DeviceMemory& first,
                                          bench::DeviceMemory& second) {
  std::vector<std::int32_t> blocks = pattern.blocks;
  blocks.push_back(-1);  // a pattern may be empty, memory not
  first = to_device(pattern.offsets);
  second = to_device(blocks);
  return {.offsets = static_cast<const std::int32_t*>(first.data()),
          .blocks = static_cast<const std::int32_t*>(second.data()),
          .rows = pattern.kind.rows,
          .columns = pattern.kind.columns,
          .per_head = pattern.kind.per_head,
          .per_batch = pattern.kind.per_batch};
}

}  // namespace kernels::attention

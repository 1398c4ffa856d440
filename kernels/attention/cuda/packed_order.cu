// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/cuda/packed_order.hpp"

#include <algorithm>

#include "kernels/bench/cuda.hpp"

namespace kernels::attention {
namespace {

constexpr int kTogether = 1024;  // sequences that are ordered at once, one a thread

struct Entry {
  int keys, tiles;
};

// Where a sequence comes among those beside it, and how many tiles come before it.
struct Place {
  int rank = 0, before = 0, all = 0;

  __device__ Place(const Entry* entries, int count, int mine) {
    const Entry own = entries[mine];
    for (int i = 0; i < count; ++i) {
      const Entry other = entries[i];
      const bool first = other.keys > own.keys || (other.keys == own.keys && i < mine);
      rank += first;
      before += first ? other.tiles : 0;
      all += other.tiles;
    }
  }
};

__global__ void __launch_bounds__(kTogether)
    order_kernel(const std::int32_t* query_offsets, const std::int32_t* key_offsets, int count, int tile_rows,
                 PackedSequence* out) {
  __shared__ Entry entries[kTogether];
  int tiles = 0;  // of the sequences so far
  for (int first = 0; first < count; first += kTogether) {
    const int at = min(first + static_cast<int>(threadIdx.x), count - 1);
    const int first_query = query_offsets[at], first_key = key_offsets[at];
    const int queries = max(query_offsets[at + 1] - first_query, 0), keys = max(key_offsets[at + 1] - first_key, 0);
    entries[threadIdx.x] = {keys, (queries + tile_rows - 1) / tile_rows};
    __syncthreads();
    const int together = min(count - first, kTogether);
    const Place place(entries, together, min(static_cast<int>(threadIdx.x), together - 1));
    if (static_cast<int>(threadIdx.x) < together)
      out[first + place.rank] = {tiles + place.before, queries, first_query, keys, first_key};
    tiles += place.all;
    __syncthreads();
  }
  if (threadIdx.x == 0) out[count] = {tiles};
}

}  // namespace

void order_sequences(const PackedSequences& given, int count, int tile_rows, PackedSequence* out, cudaStream_t stream) {
  const int threads = std::min((count + 31) / 32 * 32, kTogether);
  order_kernel<<<1, static_cast<unsigned>(threads), 0, stream>>>(given.query_offsets, given.key_offsets, count,
                                                                 tile_rows, out);
  bench::check(cudaGetLastError(), "ordering the sequences");
}

}  // namespace kernels::attention

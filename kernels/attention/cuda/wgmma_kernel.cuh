// SPDX-License-Identifier: Apache-2.0
#pragma once

// Attention forward by wgmma: one thread loads by the copy engine, each other warpgroup has 64 rows of queries. While
// the tensor cores multiply probabilities with values, the next block's products of queries and keys are already
// computed, and their exponentials follow; the warpgroups take turns in issuing products (`turns`). Blocks are
// persistent, and take the next tile when they are ready.

#include "kernels/attention/cuda/softmax.cuh"
#include "kernels/attention/cuda/wgmma_loader.cuh"
#include "kernels/hopper/fragments.cuh"
#include "kernels/hopper/wgmma.cuh"

namespace kernels::attention {

// What a warpgroup holds and does; its products are asynchronous until `hopper::wgmma_wait`.
template <class T, class Shape>
struct Group {
  static constexpr int kDepth = Shape::kDepth, kColumns = Shape::kColumns;
  static constexpr std::uint32_t kKeyPanel = kColumns * hopper::kPanelBytes;
  static constexpr std::uint32_t kQueryPanel = Shape::kGroupRows * hopper::kPanelBytes;
  static constexpr int kPanelColumns = hopper::kPanelBytes / kElementBytes;

  static __device__ __forceinline__ std::uint64_t tile(std::uint32_t address, std::uint32_t panel) {
    return hopper::descriptor<hopper::Swizzle::bytes128>(address, panel);
  }
  // scores = queries x keys transposed
  static __device__ __forceinline__ void score(float (&scores)[kColumns / 2], std::uint64_t queries,
                                               std::uint64_t keys) {
#pragma unroll
    for (int k = 0; k < kDepth; k += 16) {
      const std::uint32_t panel = k / kPanelColumns, inside = k % kPanelColumns * kElementBytes;
      const std::uint64_t left = hopper::advanced(queries, panel * kQueryPanel + inside);
      const std::uint64_t right = hopper::advanced(keys, panel * kKeyPanel + inside);
      if (k == 0) {
        hopper::wgmma<hopper::Sums::clear>(T{}, scores, left, right);
      } else {
        hopper::wgmma(T{}, scores, left, right);
      }
    }
  }
  // out += probabilities x values
  static __device__ __forceinline__ void gather(float (&out)[kDepth / 2], const std::uint32_t (&left)[kColumns / 16][4],
                                                std::uint64_t values) {
#pragma unroll
    for (int k = 0; k < kColumns / 16; ++k)
      hopper::wgmma<hopper::Sums::keep, hopper::Major::rows>(T{}, out, left[k],
                                                             hopper::advanced(values, k * 16 * hopper::kPanelBytes));
  }
  // Before products that use them are issued, and after these have ended.
  static __device__ __forceinline__ void hold(float (&out)[kDepth / 2], std::uint32_t (&left)[kColumns / 16][4]) {
    hopper::hold(out);
#pragma unroll
    for (int k = 0; k < kColumns / 16; ++k) hopper::hold(left[k]);
  }
  static __device__ __forceinline__ void narrow(const float (&scores)[kColumns / 2],
                                                std::uint32_t (&left)[kColumns / 16][4]) {
#pragma unroll
    for (int k = 0; k < kColumns / 16; ++k)
#pragma unroll
      for (int i = 0; i < 4; ++i) left[k][i] = hopper::pack(T{}, scores[8 * k + 2 * i], scores[8 * k + 2 * i + 1]);
  }
};

// The turns of warpgroups that issue products one after the other: each waits at its own named barrier, which the one
// before it opens.
template <class Shape>
struct Turns {
  static constexpr int kFirst = 1, kBoth = 2 * hopper::kWarpgroup;
  static __device__ __forceinline__ void begin(int group) {
    if constexpr (Shape::kTurns)
      if (group == Shape::kConsumers - 1) hopper::named_arrive(kFirst, kBoth);
  }
  static __device__ __forceinline__ void take(int group) {
    if constexpr (Shape::kTurns) hopper::named_sync(kFirst + group, kBoth);
  }
  static __device__ __forceinline__ void pass(int group) {
    if constexpr (Shape::kTurns) {
      const int next = group + 1 == Shape::kConsumers ? 0 : group + 1;
      hopper::named_arrive(kFirst + next, kBoth);
    }
  }
};

// Each warp its 16 rows, through the shared memory where this warpgroup's queries were.
template <class T, class Shape>
__device__ __forceinline__ void store(const WgmmaArguments& given, const Barriers<Shape>& barriers, int query_stage,
                                      const TileOf<Shape>& tile, int group, const float (&out)[Shape::kDepth / 2]) {
  constexpr int kPanels = Shape::kDepth / 64, kRows = 16, kPanel = kRows * hopper::kPanelBytes;
  const int lane = threadIdx.x % hopper::kWarp, warp = threadIdx.x / hopper::kWarp % 4;
  const std::uint32_t mine = barriers.query(query_stage) + group * Shape::kGroupBytes + warp * kPanels * kPanel;
  const int row = lane % 16;
  hopper::warpgroup_sync(8 + group);  // all four warps have read the queries
#pragma unroll
  for (int piece = 0; piece < Shape::kDepth / 16; ++piece) {
    std::uint32_t words[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) words[i] = hopper::pack(T{}, out[8 * piece + 2 * i], out[8 * piece + 2 * i + 1]);
    hopper::store_matrices(
        mine + piece / 4 * kPanel + hopper::swizzled<hopper::Swizzle::bytes128>(row, 2 * (piece % 4) + lane / 16),
        words);
  }
  hopper::fence_for_copies();
  __syncwarp();
  if (lane == 0) {
    hopper::store_panels(given.o, mine, tile.queries_at(given, group * Shape::kGroupRows + warp * kRows),
                         hopper::Keep::briefly);
    hopper::commit_stores();
    hopper::wait_stores_read<0>();
    hopper::arrive(barriers.queries.empty_at(query_stage));
  }
  __syncwarp();
}

// Where a warpgroup stands in the rings.
template <class Shape>
struct Reader {
  hopper::Turn<Shape::kQueryStages> query{};
  hopper::Turn<Shape::kStages> key{}, value{};
};

// One warpgroup of the kernel: its registers, and the steps of its work.
template <class T, class Shape>
struct Consumer {
  using Own = Group<T, Shape>;
  const WgmmaArguments& given;
  const Barriers<Shape>& barriers;
  const int group;
  Reader<Shape> reader{};
  float out[Shape::kDepth / 2], scores[Shape::kColumns / 2];
  std::uint32_t left[Shape::kColumns / 16][4];

  // The tile whose queries come next, and waits for them; false where there is none.
  __device__ __forceinline__ bool next_tile(TileOf<Shape>& tile) {
    barriers.queries.wait_full(reader.query);
    return tile.read(given, barriers.tile_at(reader.query.stage));
  }
  __device__ __forceinline__ void issue_scores() {
    hopper::wgmma_begin();
    Own::score(scores, Own::tile(barriers.query(reader.query.stage) + group * Shape::kGroupBytes, 16),
               Own::tile(barriers.key(reader.key.stage), 16));
    hopper::wgmma_commit();
  }
  __device__ __forceinline__ void issue_out() {
    barriers.values.wait_full(reader.value);
    hopper::wgmma_begin();
    Own::gather(out, left, Own::tile(barriers.value(reader.value.stage), Own::kKeyPanel));
    hopper::wgmma_commit();
  }
  template <int kPending>
  __device__ __forceinline__ void end_scores() {
    hopper::wgmma_wait<kPending>();
    hopper::hold(scores);
    barriers.keys.release_by_warp(reader.key.stage);
    reader.key.next();
  }
  __device__ __forceinline__ void end_out() {
    hopper::wgmma_wait<0>();
    Own::hold(out, left);
    barriers.values.release_by_warp(reader.value.stage);
    reader.value.next();
  }

  // A block of keys that all rows of this warpgroup are masked from.
  __device__ __forceinline__ void skip() {
    Turns<Shape>::take(group);
    Turns<Shape>::pass(group);
    barriers.keys.wait_full(reader.key);
    barriers.keys.release_by_warp(reader.key.stage);
    reader.key.next();
    barriers.values.wait_full(reader.value);
    barriers.values.release_by_warp(reader.value.stage);
    reader.value.next();
  }
  // The first block: nothing is there yet to multiply beside it.
  __device__ __forceinline__ void begin(const TileOf<Shape>& tile, const RowLimits& limits, const KeyBlocks& blocks,
                                        Softmax<Shape>& softmax) {
    barriers.keys.wait_full(reader.key);
    Turns<Shape>::take(group);
    issue_scores();
    Turns<Shape>::pass(group);
    end_scores<0>();
    const int block = blocks.count - 1;
    if (block >= blocks.masked) limits.apply(scores, tile.column(given, block));
    (void)softmax.next(scores, given.scale_log2);
    Own::narrow(scores, left);
#pragma unroll
    for (int i = 0; i < Shape::kDepth / 2; ++i) out[i] = 0;
  }
  // The block after the one whose probabilities are in `left`, and the products of these with their values.
  template <bool kMasked>
  __device__ __forceinline__ void step(const TileOf<Shape>& tile, const RowLimits& limits, int block,
                                       Softmax<Shape>& softmax) {
    barriers.keys.wait_full(reader.key);
    Turns<Shape>::take(group);
    Own::hold(out, left);
    issue_scores();
    issue_out();
    Turns<Shape>::pass(group);
    end_scores<1>();
    if constexpr (kMasked) limits.apply(scores, tile.column(given, block));
    const auto rescale = softmax.next(scores, given.scale_log2);
    end_out();
    Own::narrow(scores, left);
    rescale.apply(out);
  }
  __device__ __forceinline__ void attend(const TileOf<Shape>& tile, Softmax<Shape>& softmax) {
    const int warp = threadIdx.x / hopper::kWarp % hopper::kWarpgroupWarps;
    const RowLimits limits(tile.mask(given), tile.row + group * Shape::kGroupRows + warp * 16);
    const KeyBlocks blocks = tile.blocks_of(given, group);
    for (int block = tile.blocks(given).count; block > blocks.count; --block) skip();
    begin(tile, limits, blocks, softmax);
    int block = blocks.count - 2;
    for (; block >= blocks.masked; --block) step<true>(tile, limits, block, softmax);
    for (; block >= 0; --block) step<false>(tile, limits, block, softmax);
    Own::hold(out, left);
    issue_out();
    end_out();
  }

  __device__ __forceinline__ void run() {
    for (TileOf<Shape> tile; next_tile(tile);) {
      Softmax<Shape> softmax;
      attend(tile, softmax);
      softmax.finish(out);
      store<T>(given, barriers, reader.query.stage, tile, group, out);
      reader.query.next();
    }
  }
};

template <class T, class Shape>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocks)
    wgmma_attention_kernel(const __grid_constant__ WgmmaArguments given) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL  // elsewhere nobody launches it: see common/built_for.hpp
  extern __shared__ unsigned char shared[];
  // From one lane, so that the compiler knows it to be the same in the whole warp and keeps it; else it is found anew
  // in every step, from the block's place in its cluster.
  const Barriers<Shape> barriers(__shfl_sync(~0u, hopper::shared_address(shared), 0));
  if (threadIdx.x == 0) {
    hopper::prefetch(given.q);
    hopper::prefetch(given.k);
    hopper::prefetch(given.v);
    hopper::prefetch(given.o);
    barriers.init();
  }
  __syncthreads();
  const int group = hopper::warpgroup_number();
  if (group == Shape::kConsumers) {
    hopper::give_registers<Shape::kLoaderRegisters>();
    if (threadIdx.x == Shape::kConsumers * hopper::kWarpgroup) Loader<Shape>{given, barriers}.run();
  } else {
    hopper::take_registers<Shape::kConsumerRegisters>();
    Turns<Shape>::begin(group);
    Consumer<T, Shape>{given, barriers, group}.run();
    hopper::wait_stores_read<0>();
  }
#endif
}

template <class T, Form kForm>
WgmmaForm wgmma_form() {
  using Shape = TileShape<kForm>;
  return {.layout = Shape::kLayout,
          .depth = Shape::kDepth,
          .rows = Shape::kRows,
          .columns = Shape::kColumns,
          .threads = Shape::kThreads,
          .blocks_per_multiprocessor = Shape::kBlocks,
          .kernel = wgmma_attention_kernel<T, Shape>,
          .shared_bytes = Shape::kSharedBytes};
}

template <class T>
std::span<const WgmmaForm> dense_forms_of() {
  static const WgmmaForm kForms[] = {wgmma_form<T, Form{.depth = 128, .consumers = 2, .columns = 128}>(),
                                     wgmma_form<T, Form{.depth = 64, .consumers = 4, .columns = 64}>(),
                                     wgmma_form<T, Form{.depth = 64, .consumers = 3, .columns = 128}>(),
                                     wgmma_form<T, Form{.depth = 64, .consumers = 2, .columns = 128}>(),
                                     wgmma_form<T, Form{.depth = 256, .columns = 64, .query_stages = 1}>()};
  return kForms;
}

template <class T>
std::span<const WgmmaForm> packed_forms_of() {
  constexpr Layout kPacked = Layout::packed;
  static const WgmmaForm kForms[] = {
      wgmma_form<T, Form{.depth = 128, .consumers = 2, .columns = 128, .layout = kPacked}>(),
      wgmma_form<T, Form{.depth = 64, .consumers = 4, .columns = 64, .layout = kPacked}>(),
      wgmma_form<T, Form{.depth = 64, .consumers = 2, .columns = 128, .layout = kPacked}>(),
      wgmma_form<T, Form{.depth = 256, .columns = 64, .query_stages = 1, .layout = kPacked}>()};
  return kForms;
}

template <class T>
std::span<const WgmmaForm> sparse_forms_of() {
  constexpr Layout kSparse = Layout::sparse;
  static const WgmmaForm kForms[] = {
      wgmma_form<T, Form{.depth = 128, .consumers = 2, .columns = 128, .layout = kSparse}>(),
      wgmma_form<T, Form{.depth = 128, .consumers = 2, .columns = 64, .layout = kSparse}>(),
      wgmma_form<T, Form{.depth = 64, .consumers = 2, .columns = 128, .layout = kSparse}>(),
      wgmma_form<T, Form{.depth = 64, .consumers = 2, .columns = 64, .layout = kSparse}>(),
      wgmma_form<T, Form{.depth = 256, .columns = 64, .query_stages = 1, .layout = kSparse}>()};
  return kForms;
}

}  // namespace kernels::attention

// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/cuda/wgmma.hpp"

#include <algorithm>
#include <memory>
#include <numbers>
#include <stdexcept>

#include "kernels/attention/cuda/packed_order.hpp"
#include "kernels/attention/cuda/wgmma_maps.hpp"
#include "kernels/bench/device.hpp"
#include "kernels/common/built_for.hpp"

namespace kernels::attention {
namespace {

using bench::check;

constexpr int kStoreRows = 16, kGroup = 64;
constexpr std::int64_t kStrideUnit = 8;  // elements in 16 bytes

bool fits(const Strides& strides) {
  return strides.batch % kStrideUnit == 0 && strides.head % kStrideUnit == 0 && strides.row % kStrideUnit == 0 &&
         strides.batch > 0 && strides.head > 0 && strides.row > 0;
}

bool aligned(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0; }

struct Prepared {
  WgmmaArguments arguments{};
  bench::DeviceMemory counter, sequences;
  const void* kernel = nullptr;
  int blocks = 0, threads = 0, shared_bytes = 0;
};

TileOrder order_of(const Shape& shape, const WgmmaForm& form, std::size_t section_bytes) {
  TileOrder order{.heads = shape.batch * shape.heads,
                  .tiles_per_head = (shape.queries + form.rows - 1) / form.rows,
                  .heads_per_section = 1};
  if (!shape.causal) return order;
  const std::size_t bytes_a_key_head = 4 * static_cast<std::size_t>(shape.keys) * shape.depth;
  const std::size_t key_heads = std::max<std::size_t>(section_bytes / bytes_a_key_head, 1);
  order.heads_per_section = static_cast<int>(
      std::min<std::size_t>(key_heads * (shape.heads / shape.key_heads), static_cast<std::size_t>(order.heads)));
  return order;
}

// Tiles at most: where sequences end is known on the GPU alone.
int tiles_of(const Shape& shape, const WgmmaForm& form) {
  return form.layout == Layout::packed ? shape.heads * (shape.queries / form.rows + shape.batch)
                                       : order_of(shape, form, 0).tiles();
}

void add_maps(const Problem& problem, const WgmmaForm& form, WgmmaArguments& arguments) {
  const Shape& shape = problem.shape;
  const int queries = std::min(problem.packed.longest_queries, shape.queries);
  const int keys = std::min(problem.packed.longest_keys, shape.keys);
  const auto map = [&](const void* data, const Strides& strides, bool of_keys, int box_rows) {
    const RowsOf of{data, strides, of_keys ? shape.key_heads : shape.heads, of_keys ? shape.keys : shape.queries};
    return form.layout == Layout::packed ? packed_map(problem, of, of_keys ? keys : queries, box_rows)
                                         : heads_map(problem, of, box_rows);
  };
  arguments.q = map(problem.q, problem.q_strides, false, kGroup);
  arguments.k = map(problem.k, problem.k_strides, true, form.columns);
  arguments.v = map(problem.v, problem.v_strides, true, form.columns);
  arguments.o = map(problem.o, problem.o_strides, false, kStoreRows);
  arguments.packed.longest_queries = queries;
  arguments.packed.longest_keys = keys;
}

SparseArguments sparse_arguments(const Problem& problem, const WgmmaForm& form) {
  const BlockPattern& pattern = problem.sparse;
  const int row_blocks = (problem.shape.queries + pattern.rows - 1) / pattern.rows;
  const int of_head = pattern.per_head ? row_blocks : 0;
  return {.offsets = pattern.offsets,
          .blocks = pattern.blocks,
          .block_rows = pattern.rows,
          .block_parts = pattern.columns / form.columns,
          .head_rows = of_head,
          .batch_rows = !pattern.per_batch ? 0
                        : pattern.per_head ? of_head * problem.shape.heads
                                           : row_blocks};
}

// Finds the order of the sequences before each launch.
Launch ordering(const Problem& problem, const WgmmaForm& form, const WgmmaPlan& plan, Prepared& prepared) {
  const int count = problem.shape.batch;
  prepared.sequences = bench::DeviceMemory((static_cast<std::size_t>(count) + 1) * sizeof(PackedSequence));
  auto* sequences = static_cast<PackedSequence*>(prepared.sequences.data());
  prepared.arguments.packed.sequences = sequences;
  prepared.arguments.packed.count = count;
  prepared.arguments.packed.section_keys =
      static_cast<int>(plan.section_bytes / (4 * static_cast<std::size_t>(problem.shape.depth)));
  return [given = problem.packed, count, rows = form.rows, sequences](cudaStream_t stream) {
    order_sequences(given, count, rows, sequences, stream);
  };
}

const char* packed_refusal(const Problem& problem) {
  const PackedSequences& packed = problem.packed;
  if (packed.key_offsets == nullptr) return "packed sequences have offsets of queries and of keys";
  if (problem.sparse.offsets != nullptr) return "packed sequences have no block pattern";
  if (packed.longest_queries < 1 || packed.longest_keys < 0 || (packed.longest_keys == 0 && problem.shape.keys > 0))
    return "the longest sequence has at least one query and one key";
  return nullptr;
}

const char* sparse_refusal(const BlockPattern& pattern) {
  if (pattern.blocks == nullptr) return "a block pattern has offsets and blocks";
  if (pattern.rows < 1 || pattern.rows % 128 != 0) return "blocks of a pattern have a multiple of 128 queries";
  if (pattern.columns < 1 || pattern.columns % 64 != 0) return "blocks of a pattern have a multiple of 64 keys";
  return nullptr;
}

}  // namespace

const char* wgmma_refusal(const Problem& problem) {
  const Shape& shape = problem.shape;
  if (const char* reason = shape_refusal(shape)) return reason;
  if (shape.depth != 64 && shape.depth != 128 && shape.depth != 256) return "heads have 64, 128 or 256 columns";
  if (!(problem.scale > 0)) return "the scale is above zero";
  const Layout layout = problem.layout();
  if (layout == Layout::packed)
    if (const char* reason = packed_refusal(problem)) return reason;
  if (layout == Layout::sparse)
    if (const char* reason = sparse_refusal(problem.sparse)) return reason;
  const auto settles = [&](const Strides& strides, int heads, int rows) {
    return fits(settled(strides, layout == Layout::packed ? 1 : shape.batch, heads, rows, shape.depth));
  };
  const int keys = std::max(shape.keys, 1);
  if (!settles(problem.q_strides, shape.heads, shape.queries) ||
      !settles(problem.o_strides, shape.heads, shape.queries) || !settles(problem.k_strides, shape.key_heads, keys) ||
      !settles(problem.v_strides, shape.key_heads, keys))
    return "strides are positive multiples of 8 elements";
  for (const void* pointer : {problem.q, problem.k, problem.v, static_cast<const void*>(problem.o)})
    if (!aligned(pointer)) return "operands begin at multiples of 16 bytes";
  return nullptr;
}

const char* form_refusal(const Problem& problem, const WgmmaForm& form) {
  if (const char* reason = wgmma_refusal(problem)) return reason;
  if (form.layout != problem.layout()) return "the form is for another layout";
  if (form.depth != problem.shape.depth) return "the form is for another depth";
  if (form.layout == Layout::sparse && problem.sparse.columns % form.columns != 0)
    return "blocks of the pattern have a multiple of the form's keys";
  return nullptr;
}

std::span<const WgmmaForm> wgmma_forms(DataType type, Layout layout) {
  const bool half = type == DataType::fp16;
  if (layout == Layout::packed) return half ? packed_forms_fp16() : packed_forms_bf16();
  if (layout == Layout::sparse) return half ? sparse_forms_fp16() : sparse_forms_bf16();
  return half ? dense_forms_fp16() : dense_forms_bf16();
}

std::string to_string(const WgmmaForm& form) {
  const char* layout = form.layout == Layout::packed ? "packed/" : form.layout == Layout::sparse ? "sparse/" : "";
  return layout + std::to_string(form.rows) + "x" + std::to_string(form.columns);
}

// Tiles of 192 x 128 have the highest rate at a depth of 64, those of 256 x 64 leave less of a causal mask and of a
// short sequence idle, and those of 128 x 128 are more where there are few and fit what is shorter still. Packed
// sequences are judged by their mean; of a pattern's forms the one with the most keys comes first.
std::size_t default_form(const Problem& problem, int multiprocessors) {
  const Shape& shape = problem.shape;
  const auto forms = wgmma_forms(problem.type, problem.layout());
  const auto index_of = [&](int rows) {
    for (std::size_t i = 0; i < forms.size(); ++i)
      if (forms[i].rows == rows && form_refusal(problem, forms[i]) == nullptr) return i;
    throw std::runtime_error("no wgmma form for this problem");
  };
  if (shape.depth != 64 || problem.layout() == Layout::sparse) return index_of(128);
  const bool packed = problem.layout() == Layout::packed;
  const int queries = packed ? shape.queries / shape.batch : shape.queries;
  const auto tiles = static_cast<std::int64_t>(shape.batch) * shape.heads * ((queries + 255) / 256);
  constexpr int kShort = 192, kLong = 2048;
  if (tiles < multiprocessors || queries <= kShort) return index_of(128);
  return index_of(!shape.causal && !packed && queries >= kLong ? 192 : 256);
}

Launch prepare_wgmma_as(const Problem& problem, const WgmmaForm& form, const WgmmaPlan& plan) {
  if (const char* reason = form_refusal(problem, form)) throw std::runtime_error(reason);
  if (const char* reason = sm_90a_refusal()) throw std::runtime_error(reason);
  const Shape& shape = problem.shape;
  if (shape.keys == 0) return clearing(problem);
  auto prepared = std::make_shared<Prepared>();
  prepared->kernel = reinterpret_cast<const void*>(form.kernel);
  prepared->shared_bytes = form.shared_bytes;
  prepared->threads = form.threads;
  check(cudaFuncSetAttribute(prepared->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, form.shared_bytes),
        "asking for shared memory");
  if (plan.dynamic) {
    prepared->counter = bench::DeviceMemory(2 * sizeof(unsigned));
    check(cudaMemset(prepared->counter.data(), 0, prepared->counter.bytes()), "clearing the counters");
  }
  WgmmaArguments& arguments = prepared->arguments;
  arguments = {.q = {},
               .k = {},
               .v = {},
               .o = {},
               .order = order_of(shape, form, plan.section_bytes),
               .mask = {.keys = shape.keys, .diagonal = shape.diagonal, .causal = shape.causal},
               .heads = shape.heads,
               .heads_per_key_head = shape.heads / shape.key_heads,
               .scale_log2 = problem.scale * std::numbers::log2e_v<float>,
               .counter = static_cast<unsigned*>(prepared->counter.data()),
               .packed = {},
               .sparse = {}};
  add_maps(problem, form, arguments);
  if (form.layout == Layout::sparse) arguments.sparse = sparse_arguments(problem, form);
  Launch before;
  if (form.layout == Layout::packed) before = ordering(problem, form, plan, *prepared);
  prepared->blocks =
      std::min(bench::current_device().multiprocessors * form.blocks_per_multiprocessor, tiles_of(shape, form));
  return [prepared, before](cudaStream_t stream) {
    if (before) before(stream);
    void* given[] = {&prepared->arguments};
    check(cudaLaunchKernel(prepared->kernel, dim3(static_cast<unsigned>(prepared->blocks)),
                           dim3(static_cast<unsigned>(prepared->threads)), given,
                           static_cast<std::size_t>(prepared->shared_bytes), stream),
          "launching attention");
  };
}

}  // namespace kernels::attention

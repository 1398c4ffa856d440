// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/cuda/wgmma.hpp"

#include <algorithm>
#include <memory>
#include <numbers>
#include <stdexcept>

#include "kernels/bench/device.hpp"
#include "kernels/common/built_for.hpp"
#include "kernels/common/tensor_map.hpp"

namespace kernels::attention {
namespace {

using bench::check;

constexpr int kPanel = 64, kStoreRows = 16, kGroup = 64;
constexpr std::int64_t kStrideUnit = 8;  // elements in 16 bytes

// Sizes of one have no next element: their stride, whatever it says, becomes one that the copy engine takes.
Strides settled(Strides strides, int batch, int heads, int rows, int depth) {
  if (rows == 1) strides.row = depth;
  if (heads == 1) strides.head = strides.row * rows;
  if (batch == 1) strides.batch = strides.head * heads;
  return strides;
}

bool fits(const Strides& strides) {
  return strides.batch % kStrideUnit == 0 && strides.head % kStrideUnit == 0 && strides.row % kStrideUnit == 0 &&
         strides.batch > 0 && strides.head > 0 && strides.row > 0;
}

bool aligned(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0; }

// Heads of rows, whose columns are panels that one box brings side by side.
CUtensorMap heads_map(const Problem& problem, const void* data, const Strides& given, int heads, int rows,
                      int box_rows) {
  const Strides strides = settled(given, problem.shape.batch, heads, rows, problem.shape.depth);
  const auto bytes = [](std::int64_t elements) { return static_cast<cuuint64_t>(elements) * 2; };
  const auto panels = static_cast<cuuint64_t>(problem.shape.depth / kPanel);
  const cuuint64_t size[] = {kPanel, static_cast<cuuint64_t>(rows), panels, static_cast<cuuint64_t>(heads),
                             static_cast<cuuint64_t>(problem.shape.batch)};
  const cuuint64_t steps[] = {bytes(strides.row), kPanel * 2, bytes(strides.head), bytes(strides.batch)};
  const cuuint32_t box[] = {kPanel, static_cast<cuuint32_t>(box_rows), static_cast<cuuint32_t>(panels), 1, 1};
  return tensor_map(problem.type == DataType::fp16 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                    data, size, steps, box);
}

struct Prepared {
  WgmmaArguments arguments{};
  bench::DeviceMemory counter;
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

}  // namespace

const char* wgmma_refusal(const Problem& problem) {
  const Shape& shape = problem.shape;
  if (const char* reason = shape_refusal(shape)) return reason;
  if (shape.depth != 64 && shape.depth != 128 && shape.depth != 256) return "heads have 64, 128 or 256 columns";
  if (!(problem.scale > 0)) return "the scale is above zero";
  const auto settles = [&](const Strides& strides, int heads, int rows) {
    return fits(settled(strides, shape.batch, heads, rows, shape.depth));
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

std::span<const WgmmaForm> wgmma_forms(DataType type) {
  return type == DataType::fp16 ? wgmma_forms_fp16() : wgmma_forms_bf16();
}

std::string to_string(const WgmmaForm& form) { return std::to_string(form.rows) + "x" + std::to_string(form.columns); }

// Tiles of 192 x 128 have the highest rate at a depth of 64, those of 256 x 64 leave less of a causal mask and of a
// short sequence idle, and those of 128 x 128 are more where there are few.
std::size_t default_form(std::span<const WgmmaForm> forms, const Shape& shape, int multiprocessors) {
  const auto index_of = [&](int rows) {
    for (std::size_t i = 0; i < forms.size(); ++i)
      if (forms[i].depth == shape.depth && forms[i].rows == rows) return i;
    throw std::runtime_error("no wgmma form for a depth of " + std::to_string(shape.depth));
  };
  if (shape.depth != 64) return index_of(128);
  const auto tiles = [&](int rows) {
    return static_cast<std::int64_t>(shape.batch) * shape.heads * ((shape.queries + rows - 1) / rows);
  };
  if (tiles(256) < multiprocessors) return index_of(128);
  constexpr int kLong = 2048;
  return index_of(!shape.causal && shape.queries >= kLong ? 192 : 256);
}

Launch prepare_wgmma_as(const Problem& problem, const WgmmaForm& form, const WgmmaPlan& plan) {
  if (const char* reason = wgmma_refusal(problem)) throw std::runtime_error(reason);
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
  prepared->arguments = {
      .q = heads_map(problem, problem.q, problem.q_strides, shape.heads, shape.queries, kGroup),
      .k = heads_map(problem, problem.k, problem.k_strides, shape.key_heads, shape.keys, form.columns),
      .v = heads_map(problem, problem.v, problem.v_strides, shape.key_heads, shape.keys, form.columns),
      .o = heads_map(problem, problem.o, problem.o_strides, shape.heads, shape.queries, kStoreRows),
      .order = order_of(shape, form, plan.section_bytes),
      .mask = {.keys = shape.keys, .diagonal = shape.diagonal, .causal = shape.causal},
      .heads = shape.heads,
      .heads_per_key_head = shape.heads / shape.key_heads,
      .scale_log2 = problem.scale * std::numbers::log2e_v<float>,
      .counter = static_cast<unsigned*>(prepared->counter.data())};
  prepared->blocks = std::min(bench::current_device().multiprocessors * form.blocks_per_multiprocessor,
                              prepared->arguments.order.tiles());
  return [prepared](cudaStream_t stream) {
    void* arguments[] = {&prepared->arguments};
    check(cudaLaunchKernel(prepared->kernel, dim3(static_cast<unsigned>(prepared->blocks)),
                           dim3(static_cast<unsigned>(prepared->threads)), arguments,
                           static_cast<std::size_t>(prepared->shared_bytes), stream),
          "launching attention");
  };
}

}  // namespace kernels::attention

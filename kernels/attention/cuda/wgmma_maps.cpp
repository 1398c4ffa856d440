// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/cuda/wgmma_maps.hpp"

#include "kernels/common/tensor_map.hpp"

namespace kernels::attention {
namespace {

constexpr int kPanel = 64, kElementBytes = 2;

cuuint64_t bytes(std::int64_t elements) { return static_cast<cuuint64_t>(elements) * kElementBytes; }

CUtensorMap panels_map(const Problem& problem, const void* data, int box_rows, const cuuint64_t (&rows_heads_outer)[3],
                       const Strides& strides) {
  const auto panels = static_cast<cuuint64_t>(problem.shape.depth / kPanel);
  const auto& [rows, heads, outer] = rows_heads_outer;
  const cuuint64_t size[] = {kPanel, rows, panels, heads, outer};
  const cuuint64_t steps[] = {bytes(strides.row), bytes(kPanel), bytes(strides.head), bytes(strides.batch)};
  const cuuint32_t box[] = {kPanel, static_cast<cuuint32_t>(box_rows), static_cast<cuuint32_t>(panels), 1, 1};
  return tensor_map(problem.type == DataType::fp16 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                    data, size, steps, box);
}

}  // namespace

Strides settled(Strides strides, int batch, int heads, int rows, int depth) {
  if (rows == 1) strides.row = depth;
  if (heads == 1) strides.head = strides.row * rows;
  if (batch == 1) strides.batch = strides.head * heads;
  return strides;
}

CUtensorMap heads_map(const Problem& problem, const RowsOf& of, int box_rows) {
  const int batch = problem.shape.batch;
  return panels_map(
      problem, of.data, box_rows,
      {static_cast<cuuint64_t>(of.rows), static_cast<cuuint64_t>(of.heads), static_cast<cuuint64_t>(batch)},
      settled(of.strides, batch, of.heads, of.rows, problem.shape.depth));
}

CUtensorMap packed_map(const Problem& problem, const RowsOf& of, int longest, int box_rows) {
  Strides strides = settled(of.strides, 1, of.heads, of.rows, problem.shape.depth);
  strides.batch = strides.row;
  const auto* data = static_cast<const unsigned char*>(of.data) - bytes(longest * strides.row);
  return panels_map(
      problem, data, box_rows,
      {static_cast<cuuint64_t>(longest), static_cast<cuuint64_t>(of.heads), static_cast<cuuint64_t>(of.rows) + 1},
      strides);
}

}  // namespace kernels::attention

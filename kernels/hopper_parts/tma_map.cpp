// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/tensor_map.hpp"
#include "kernels/hopper_parts/tma_load.hpp"

namespace kernels {

CUtensorMap tma_map(const TmaShape& shape, const void* matrix) {
  const cuuint64_t size[] = {static_cast<cuuint64_t>(shape.columns), static_cast<cuuint64_t>(shape.rows)};
  const cuuint64_t row_bytes[] = {size[0] * 2};
  const cuuint32_t box[] = {static_cast<cuuint32_t>(shape.box_columns), static_cast<cuuint32_t>(shape.box_rows)};
  return tensor_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, matrix, size, row_bytes, box);
}

}  // namespace kernels

// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/tensor_map.hpp"

#include <cudaTypedefs.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/bench/cuda.hpp"

namespace kernels {
namespace {

// From the driver, so that nothing links against it and the programs start where there is no GPU.
PFN_cuTensorMapEncodeTiled_v12000 encoder() {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  bench::check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result),
               "asking the driver for cuTensorMapEncodeTiled");
  if (found == nullptr)
    throw std::runtime_error("the driver has no cuTensorMapEncodeTiled: CUDA 12 or later is needed");
  return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(found);
}

cuuint32_t bytes_of(CUtensorMapDataType type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8: return 1;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16: return 2;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32: return 4;
    default: throw std::runtime_error("tensor_map: no such element");
  }
}

CUtensorMapSwizzle swizzle_of(cuuint32_t row_bytes) {
  if (row_bytes > 128) return CU_TENSOR_MAP_SWIZZLE_NONE;
  return row_bytes == 128 ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_64B;
}

}  // namespace

CUtensorMap tensor_map(CUtensorMapDataType type, const void* elements, std::span<const cuuint64_t> size,
                       std::span<const cuuint64_t> steps, std::span<const cuuint32_t> box) {
  CUtensorMap map{};
  const std::vector<cuuint32_t> every(box.size(), 1);
  static const PFN_cuTensorMapEncodeTiled_v12000 kEncode = encoder();
  const CUresult result =
      kEncode(&map, type, static_cast<cuuint32_t>(box.size()), const_cast<void*>(elements), size.data(), steps.data(),
              box.data(), every.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle_of(box[0] * bytes_of(type)),
              CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    throw std::runtime_error("cuTensorMapEncodeTiled: error " + std::to_string(static_cast<int>(result)));
  return map;
}

}  // namespace kernels

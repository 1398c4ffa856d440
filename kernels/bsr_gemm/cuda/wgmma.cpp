// SPDX-License-Identifier: Apache-2.0
#include <cudaTypedefs.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <string>

#include "kernels/bench/device.hpp"
#include "kernels/bsr_gemm/cuda/device_pattern.hpp"
#include "kernels/bsr_gemm/cuda/variants.hpp"
#include "kernels/bsr_gemm/cuda/wgmma_kernels.hpp"
#include "kernels/common/built_for.hpp"

namespace kernels::bsr {
namespace {

using bench::check;

// From the driver, so that nothing links against it and the programs start where there is no card.
PFN_cuTensorMapEncodeTiled_v12000 encoder() {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result),
        "asking the driver for cuTensorMapEncodeTiled");
  if (found == nullptr)
    throw std::runtime_error("the driver has no cuTensorMapEncodeTiled: CUDA 12 or later is needed");
  return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(found);
}

// 16-bit elements that are moved in boxes: sizes with the fastest first, the bytes from one to the next of all but the
// first. The swizzle is as wide as a row of the box.
template <std::size_t kRank>
CUtensorMap tensor_map(DataType type, const void* elements, const std::array<cuuint64_t, kRank>& size,
                       const std::array<cuuint64_t, kRank - 1>& steps, const std::array<cuuint32_t, kRank>& box) {
  CUtensorMap map{};
  std::array<cuuint32_t, kRank> every;
  every.fill(1);
  static const PFN_cuTensorMapEncodeTiled_v12000 kEncode = encoder();
  const CUresult result =
      kEncode(&map, type == DataType::fp16 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
              kRank, const_cast<void*>(elements), size.data(), steps.data(), box.data(), every.data(),
              CU_TENSOR_MAP_INTERLEAVE_NONE, box[0] * 2 == 128 ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_64B,
              CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    throw std::runtime_error("cuTensorMapEncodeTiled: error " + std::to_string(static_cast<int>(result)));
  return map;
}

// A matrix row by row.
CUtensorMap matrix_map(DataType type, const void* matrix, cuuint64_t rows, cuuint64_t columns, int box_rows,
                       int box_columns) {
  return tensor_map<2>(type, matrix, {columns, rows}, {columns * 2},
                       {static_cast<cuuint32_t>(box_columns), static_cast<cuuint32_t>(box_rows)});
}

// The same as panels of kBBoxColumns columns, some of which one box brings side by side.
CUtensorMap panels_map(DataType type, const void* matrix, cuuint64_t rows, cuuint64_t columns, int box_rows,
                       int panels) {
  return tensor_map<3>(type, matrix, {kBBoxColumns, rows, columns / kBBoxColumns}, {columns * 2, kBBoxColumns * 2},
                       {kBBoxColumns, static_cast<cuuint32_t>(box_rows), static_cast<cuuint32_t>(panels)});
}

const WgmmaKernel& kernel_for(DataType type, const WgmmaConfig& config) {
  for (const WgmmaKernel& kernel : type == DataType::fp16 ? wgmma_kernels_fp16() : wgmma_kernels_bf16())
    if (kernel.config == config) return kernel;
  throw std::runtime_error("no wgmma kernel for tiles of " + to_string(config));
}

struct Prepared {
  WgmmaArguments arguments{};
  DevicePattern::Memory tiles, first;
  const void* kernel = nullptr;
  int workers = 0, shared_bytes = 0;
};

}  // namespace

Launch prepare_wgmma_as(const Problem& problem, const WgmmaConfig& config) {
  const BsrMatrix& pattern = *problem.pattern;
  const std::size_t blocks = pattern.block_column.size();
  if (blocks == 0 || problem.n == 0) return clearing(problem);
  if (const char* reason = sm_90a_refusal()) throw std::runtime_error(reason);
  const WgmmaKernel& kernel = kernel_for(problem.type, config);
  auto prepared = std::make_shared<Prepared>();
  prepared->kernel = reinterpret_cast<const void*>(kernel.kernel);
  prepared->shared_bytes = kernel.shared_bytes;
  check(cudaFuncSetAttribute(prepared->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kernel.shared_bytes),
        "asking for shared memory");
  prepared->workers = bench::current_device().multiprocessors;
  const Schedule schedule = make_schedule(pattern, problem.n, config.tile_rows, config.tile_columns, prepared->workers);
  prepared->tiles = DevicePattern::copied(schedule.tiles);
  prepared->first = DevicePattern::copied(schedule.first);

  // Panels need whole ones: the last row of a part of a panel would end beyond the matrix.
  const bool panels = problem.n % kBBoxColumns == 0;
  prepared->arguments = {
      .a = matrix_map(problem.type, problem.values, blocks * pattern.block_rows, pattern.block_columns,
                      config.tile_rows, config.depth),
      .b = panels ? panels_map(problem.type, problem.b, pattern.columns, problem.n, config.depth,
                               config.tile_columns / kBBoxColumns)
                  : matrix_map(problem.type, problem.b, pattern.columns, problem.n, config.depth, kBBoxColumns),
      .c = matrix_map(problem.type, problem.c, pattern.rows, problem.n, kernel.store_box_rows,
                      kernel.store_box_columns),
      .tiles = static_cast<const Tile*>(prepared->tiles.data()),
      .first = static_cast<const int*>(prepared->first.data()),
      .block_column = problem.block_column,
      .block_rows = pattern.block_rows,
      .block_columns = pattern.block_columns,
      .n = problem.n,
      .panels = panels};
  return [prepared](cudaStream_t stream) {
    void* arguments[] = {&prepared->arguments};
    check(cudaLaunchKernel(prepared->kernel, dim3(static_cast<unsigned>(prepared->workers)), dim3(kWgmmaThreads),
                           arguments, static_cast<std::size_t>(prepared->shared_bytes), stream),
          "launching wgmma");
  };
}

Launch prepare_wgmma(const Problem& problem) { return prepare_wgmma_as(problem, wgmma_config(*problem.pattern)); }

}  // namespace kernels::bsr

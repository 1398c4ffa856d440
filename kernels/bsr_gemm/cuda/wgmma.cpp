// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <stdexcept>
#include <string>

#include "kernels/bench/device.hpp"
#include "kernels/bsr_gemm/cuda/device_pattern.hpp"
#include "kernels/bsr_gemm/cuda/variants.hpp"
#include "kernels/bsr_gemm/cuda/wgmma_kernels.hpp"
#include "kernels/common/built_for.hpp"
#include "kernels/common/tensor_map.hpp"

namespace kernels::bsr {
namespace {

using bench::check;

CUtensorMapDataType element_of(DataType type) {
  return type == DataType::fp16 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
}

// A matrix row by row.
CUtensorMap matrix_map(DataType type, const void* matrix, cuuint64_t rows, cuuint64_t columns, int box_rows,
                       int box_columns) {
  const cuuint64_t size[] = {columns, rows}, steps[] = {columns * 2};
  const cuuint32_t box[] = {static_cast<cuuint32_t>(box_columns), static_cast<cuuint32_t>(box_rows)};
  return tensor_map(element_of(type), matrix, size, steps, box);
}

// The same as panels of kBBoxColumns columns, some of which one box brings side by side.
CUtensorMap panels_map(DataType type, const void* matrix, cuuint64_t rows, cuuint64_t columns, int box_rows,
                       int panels) {
  const cuuint64_t size[] = {kBBoxColumns, rows, columns / kBBoxColumns};
  const cuuint64_t steps[] = {columns * 2, kBBoxColumns * 2};
  const cuuint32_t box[] = {kBBoxColumns, static_cast<cuuint32_t>(box_rows), static_cast<cuuint32_t>(panels)};
  return tensor_map(element_of(type), matrix, size, steps, box);
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
      .c =
          matrix_map(problem.type, problem.c, pattern.rows, problem.n, kernel.store_box_rows, kernel.store_box_columns),
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

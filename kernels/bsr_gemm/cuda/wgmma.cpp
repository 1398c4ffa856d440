// SPDX-License-Identifier: Apache-2.0
#include <cudaTypedefs.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "kernels/bench/device.hpp"
#include "kernels/bsr_gemm/cuda/device_pattern.hpp"
#include "kernels/bsr_gemm/cuda/groups.hpp"
#include "kernels/bsr_gemm/cuda/variants.hpp"
#include "kernels/bsr_gemm/cuda/wgmma_kernels.hpp"

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

// A matrix of 16-bit elements, row by row, that is moved in boxes. The swizzle is as wide as a row of the box.
CUtensorMap matrix_map(DataType type, const void* matrix, std::int64_t rows, std::int64_t columns, int box_rows,
                       int box_columns) {
  CUtensorMap map{};
  const cuuint64_t size[2] = {static_cast<cuuint64_t>(columns), static_cast<cuuint64_t>(rows)};
  const cuuint64_t row_bytes[1] = {static_cast<cuuint64_t>(columns) * 2};
  const cuuint32_t box[2] = {static_cast<cuuint32_t>(box_columns), static_cast<cuuint32_t>(box_rows)};
  const cuuint32_t every[2] = {1, 1};
  static const PFN_cuTensorMapEncodeTiled_v12000 kEncode = encoder();
  const CUresult result =
      kEncode(&map, type == DataType::fp16 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2,
              const_cast<void*>(matrix), size, row_bytes, box, every, CU_TENSOR_MAP_INTERLEAVE_NONE,
              box_columns * 2 == 128 ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_64B,
              CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    throw std::runtime_error("cuTensorMapEncodeTiled: error " + std::to_string(static_cast<int>(result)));
  return map;
}

const WgmmaKernel& kernel_for(DataType type, const WgmmaConfig& config) {
  for (const WgmmaKernel& kernel : type == DataType::fp16 ? wgmma_kernels_fp16() : wgmma_kernels_bf16())
    if (kernel.config == config) return kernel;
  throw std::runtime_error("no wgmma kernel for tiles of " + std::to_string(config.tile_rows) + " x " +
                           std::to_string(config.tile_columns) + " with depth " + std::to_string(config.depth) +
                           " and clusters of " + std::to_string(config.cluster));
}

struct Prepared {
  WgmmaArguments arguments{};
  DevicePattern::Memory tiles, first, steps;
  const void* kernel = nullptr;
  cudaLaunchAttribute cluster{};
  cudaLaunchConfig_t launch{};
};

// How the kernel is launched, without its grid.
void set_launch(Prepared& prepared, const WgmmaKernel& kernel) {
  prepared.kernel = reinterpret_cast<const void*>(kernel.kernel);
  check(cudaFuncSetAttribute(prepared.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kernel.shared_bytes),
        "asking for shared memory");
  prepared.cluster.id = cudaLaunchAttributeClusterDimension;
  prepared.cluster.val.clusterDim.x = static_cast<unsigned>(kernel.config.cluster);
  prepared.cluster.val.clusterDim.y = prepared.cluster.val.clusterDim.z = 1;
  prepared.launch.blockDim = dim3(static_cast<unsigned>(kernel.threads));
  prepared.launch.dynamicSmemBytes = static_cast<std::size_t>(kernel.shared_bytes);
  prepared.launch.attrs = &prepared.cluster;
  prepared.launch.numAttrs = kernel.config.cluster > 1 ? 1 : 0;
}

// How many clusters run side by side: multiprocessors of one part of the card that are left over stay idle.
int workers_for(const Prepared& prepared, int cluster) {
  const int multiprocessors = bench::current_device().multiprocessors;
  if (cluster == 1) return multiprocessors;
  cudaLaunchConfig_t launch = prepared.launch;
  launch.gridDim = dim3(static_cast<unsigned>(multiprocessors / cluster * cluster));
  int clusters = 0;
  check(cudaOccupancyMaxActiveClusters(&clusters, prepared.kernel, &launch), "asking how many clusters fit");
  return clusters;
}

// As a schedule sees it, a group is one block row and its steps are the blocks.
BsrMatrix of_groups(const BsrMatrix& pattern, const Groups& groups, int group_rows) {
  return {.rows = pattern.rows,
          .columns = pattern.columns,
          .block_rows = group_rows * pattern.block_rows,
          .block_columns = pattern.block_columns,
          .row_begin = groups.step_begin,
          .block_column = {},
          .values = {}};
}

}  // namespace

Launch prepare_wgmma_as(const Problem& problem, const WgmmaConfig& config) {
  const BsrMatrix& pattern = *problem.pattern;
  const std::int64_t blocks = static_cast<std::int64_t>(pattern.block_column.size());
  if (blocks == 0 || problem.n == 0) return clearing(problem);
  const WgmmaKernel& kernel = kernel_for(problem.type, config);
  auto prepared = std::make_shared<Prepared>();
  set_launch(*prepared, kernel);
  const bool grouped = kernel.group_rows > 1;
  Groups groups;
  if (grouped) {
    groups = make_groups(pattern, kernel.group_rows);
    prepared->steps = DevicePattern::copied(groups.steps);
  }
  const Schedule schedule =
      make_schedule(grouped ? of_groups(pattern, groups, kernel.group_rows) : pattern, problem.n, config.tile_rows,
                    config.tile_columns * config.cluster, workers_for(*prepared, config.cluster));
  const auto workers = static_cast<unsigned>(schedule.first.size() - 1);
  prepared->launch.gridDim = dim3(workers * static_cast<unsigned>(config.cluster));
  prepared->tiles = DevicePattern::copied(schedule.tiles);
  prepared->first = DevicePattern::copied(schedule.first);

  const auto map = [&](const void* matrix, std::int64_t rows, std::int64_t columns, int box_rows, int box_columns) {
    return matrix_map(problem.type, matrix, rows, columns, box_rows, box_columns);
  };
  prepared->arguments = {
      .a = map(problem.values, blocks * pattern.block_rows, pattern.block_columns, kernel.a_box_rows, config.depth),
      .b = map(problem.b, pattern.columns, problem.n, config.depth, kBBoxColumns),
      .c = map(problem.c, pattern.rows, problem.n, kernel.store_box_rows, kernel.store_box_columns),
      .tiles = static_cast<const Tile*>(prepared->tiles.data()),
      .first = static_cast<const int*>(prepared->first.data()),
      .row_begin = problem.row_begin,
      .order = grouped ? static_cast<const int*>(prepared->steps.data()) : problem.block_column,
      .rows = pattern.rows,
      .block_rows = pattern.block_rows,
      .block_columns = pattern.block_columns,
      .n = problem.n};
  return [prepared](cudaStream_t stream) {
    cudaLaunchConfig_t launch = prepared->launch;
    launch.stream = stream;
    void* arguments[] = {&prepared->arguments};
    check(cudaLaunchKernelExC(&launch, prepared->kernel, arguments), "launching wgmma");
  };
}

Launch prepare_wgmma(const Problem& problem) {
  return prepare_wgmma_as(problem, wgmma_config(*problem.pattern, problem.n));
}

}  // namespace kernels::bsr

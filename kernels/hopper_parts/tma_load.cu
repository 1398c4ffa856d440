// SPDX-License-Identifier: Apache-2.0
#include "kernels/bench/cuda.hpp"
#include "kernels/bsr_gemm/cuda/hopper.cuh"
#include "kernels/hopper_parts/tma_load.hpp"

namespace kernels {
namespace {

namespace hopper = bsr::hopper;

struct Arguments {
  CUtensorMap map;
  TmaShape shape;
  int loads;
  float* out;
};

#if __CUDA_ARCH__ >= 900

__device__ float sum_of_warp(float value) {
#pragma unroll
  for (int offset = kTmaLanes / 2; offset > 0; offset /= 2) value += __shfl_xor_sync(~0u, value, offset);
  return value;
}

// Where the copy engine puts it; rows of 128 bytes are swizzled in pieces of 16.
__device__ float element(const unsigned char* box, const TmaShape& shape, int row, int column) {
  const int piece = column / 8, row_bytes = shape.box_columns * 2;
  const int at = row * row_bytes + (row_bytes == 128 ? piece ^ row % 8 : piece) * 16 + column % 8 * 2;
  return __half2float(*reinterpret_cast<const __half*>(box + at));
}

__device__ float checksum(const unsigned char* box, const TmaShape& shape) {
  float sum = 0;
  for (int i = threadIdx.x; i < shape.box_rows * shape.box_columns; i += kTmaLanes) {
    const int row = i / shape.box_columns, column = i % shape.box_columns;
    sum += element(box, shape, row, column) * tma_weight(row, column);
  }
  return sum_of_warp(sum);
}

__device__ float sampled(const unsigned char* box, const TmaShape& shape, int load) {
  const int at = tma_sampled_element(shape.box_rows * shape.box_columns, load, threadIdx.x);
  return element(box, shape, at / shape.box_columns, at % shape.box_columns);
}

#endif

template <bool kWhole>
__global__ void __launch_bounds__(kTmaLanes) tma_load_kernel(const __grid_constant__ Arguments given) {
#if __CUDA_ARCH__ >= 900  // elsewhere nobody launches it: see common/built_for.hpp
  extern __shared__ unsigned char shared[];
  const TmaShape& shape = given.shape;
  const int bytes = shape.box_bytes(), boxes = shape.boxes(), across = shape.boxes_across();
  unsigned char* const stages = shared + (1024 - hopper::shared_address(shared) % 1024) % 1024;
  const std::uint32_t first_stage = hopper::shared_address(stages), barriers = first_stage + shape.stages * bytes;
  if (threadIdx.x == 0) {
    for (int i = 0; i < shape.stages; ++i) hopper::barrier_init(barriers + 8 * i, 1);
    hopper::fence_barrier_init();
  }
  __syncwarp();

  const auto begin = [&](int number, int stage) {
    if (threadIdx.x != 0 || number >= given.loads) return;
    const int box = number % boxes;
    hopper::expect_bytes(barriers + 8 * stage, bytes);
    hopper::load(first_stage + stage * bytes, given.map, box % across * shape.box_columns,
                 box / across * shape.box_rows, barriers + 8 * stage, hopper::Keep::normal);
  };
  const int step = gridDim.x;
  for (int i = 0; i < shape.stages; ++i) begin(blockIdx.x + i * step, i);
  float sum = 0;
  int stage = 0, load = 0;
  std::uint32_t phase = 0;
  for (int number = blockIdx.x; number < given.loads; number += step, ++load) {
    hopper::wait(barriers + 8 * stage, phase);
    if constexpr (kWhole) {
      const float whole = checksum(stages + stage * bytes, shape);
      if (threadIdx.x == 0) given.out[number] = whole;
    } else {
      sum += sampled(stages + stage * bytes, shape, load);
    }
    __syncwarp();  // all lanes have read before the stage is filled again
    begin(number + shape.stages * step, stage);
    if (++stage == shape.stages) stage = 0, phase ^= 1;
  }
  if constexpr (!kWhole) {
    sum = sum_of_warp(sum);
    if (threadIdx.x == 0) given.out[blockIdx.x] = sum;
  }
#endif
}

template <bool kWhole>
void launch(const Arguments& given, int blocks, cudaStream_t stream) {
  const std::size_t shared_bytes = given.shape.shared_bytes();
  bench::check(cudaFuncSetAttribute(tma_load_kernel<kWhole>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(shared_bytes)),
               "asking for shared memory");
  tma_load_kernel<kWhole><<<blocks, kTmaLanes, shared_bytes, stream>>>(given);
}

}  // namespace

void tma_load(const CUtensorMap& map, const TmaShape& shape, int loads, float* out, int blocks, cudaStream_t stream) {
  launch<false>({map, shape, loads, out}, blocks, stream);
}

void tma_checksums(const CUtensorMap& map, const TmaShape& shape, float* out, int blocks, cudaStream_t stream) {
  launch<true>({map, shape, shape.boxes(), out}, blocks, stream);
}

}  // namespace kernels

// SPDX-License-Identifier: Apache-2.0
#include "kernels/bench/cuda.hpp"
#include "kernels/hopper/barrier.cuh"
#include "kernels/hopper/copies.cuh"
#include "kernels/hopper_parts/tma_load.hpp"

namespace kernels {
namespace {

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

// Where the next box of this block begins, without a division: they would take longer than small boxes do.
struct Walk {
  int x, y, across, down, step_x, step_y;

  __device__ Walk(const TmaShape& shape, int number, int step)
      : across(shape.boxes_across()), down(shape.boxes() / across), step_x(step % across), step_y(step / across) {
    x = number % across;
    y = number / across % down;
  }
  __device__ void next() {
    x += step_x;
    y += step_y;
    if (x >= across) x -= across, ++y;
    while (y >= down) y -= down;
  }
};

// The element of each box that this lane looks at: the next one after every load, as `tma_sampled_element` says.
struct Sampled {
  int row, column;

  __device__ explicit Sampled(const TmaShape& shape) {
    const int first = tma_sampled_element(shape.box_rows * shape.box_columns, 0, threadIdx.x);
    row = first / shape.box_columns;
    column = first % shape.box_columns;
  }
  __device__ void next(const TmaShape& shape) {
    if (++column == shape.box_columns) column = 0, ++row;
    if (row == shape.box_rows) row = 0;
  }
};

// One lane of a warp of its own keeps the stages filled.
__device__ void produce(const Arguments& given, std::uint32_t stages, std::uint32_t full, std::uint32_t empty) {
  const TmaShape& shape = given.shape;
  const int step = gridDim.x, bytes = shape.box_bytes();
  Walk box(shape, blockIdx.x, step);
  int stage = 0;
  std::uint32_t phase = 1;  // all stages are free
  for (int number = blockIdx.x; number < given.loads; number += step, box.next()) {
    hopper::wait(empty + 8 * stage, phase);
    hopper::expect_bytes(full + 8 * stage, bytes);
    hopper::load(stages + stage * bytes, given.map, box.x * shape.box_columns, box.y * shape.box_rows, full + 8 * stage,
                 hopper::Keep::normal);
    if (++stage == shape.stages) stage = 0, phase ^= 1;
  }
}

template <bool kWhole>
__device__ void consume(const Arguments& given, const unsigned char* stages, std::uint32_t full, std::uint32_t empty) {
  const TmaShape& shape = given.shape;
  const int bytes = shape.box_bytes();
  Sampled at(shape);
  float sum = 0;
  int stage = 0;
  std::uint32_t phase = 0;
  for (int number = blockIdx.x; number < given.loads; number += gridDim.x) {
    hopper::wait(full + 8 * stage, phase);
    const unsigned char* box = stages + stage * bytes;
    if constexpr (kWhole) {
      const float whole = checksum(box, shape);
      if (threadIdx.x == 0) given.out[number] = whole;
    } else {
      sum += element(box, shape, at.row, at.column);
      at.next(shape);
    }
    __syncwarp();  // all lanes have read
    if (threadIdx.x == 0) hopper::arrive(empty + 8 * stage);
    if (++stage == shape.stages) stage = 0, phase ^= 1;
  }
  if constexpr (!kWhole) {
    sum = sum_of_warp(sum);
    if (threadIdx.x == 0) given.out[blockIdx.x] = sum;
  }
}

#endif

template <bool kWhole>
__global__ void __launch_bounds__(2 * kTmaLanes) tma_load_kernel(const __grid_constant__ Arguments given) {
#if __CUDA_ARCH__ >= 900  // elsewhere nobody launches it: see common/built_for.hpp
  extern __shared__ unsigned char shared[];
  unsigned char* const stages = shared + (1024 - hopper::shared_address(shared) % 1024) % 1024;
  const std::uint32_t first_stage = hopper::shared_address(stages);
  const std::uint32_t full = first_stage + given.shape.stages * given.shape.box_bytes();
  const std::uint32_t empty = full + 8 * given.shape.stages;
  if (threadIdx.x == 0) {
    hopper::prefetch(given.map);
    for (int i = 0; i < given.shape.stages; ++i) {
      hopper::barrier_init(full + 8 * i, 1);
      hopper::barrier_init(empty + 8 * i, 1);
    }
    hopper::fence_barrier_init();
  }
  __syncthreads();
  if (threadIdx.x == kTmaLanes) {
    produce(given, first_stage, full, empty);
  } else if (threadIdx.x < kTmaLanes) {
    consume<kWhole>(given, stages, full, empty);
  }
#endif
}

template <bool kWhole>
void launch(const Arguments& given, int blocks, cudaStream_t stream) {
  const std::size_t shared_bytes = given.shape.shared_bytes();
  bench::check(cudaFuncSetAttribute(tma_load_kernel<kWhole>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(shared_bytes)),
               "asking for shared memory");
  tma_load_kernel<kWhole><<<blocks, 2 * kTmaLanes, shared_bytes, stream>>>(given);
}

}  // namespace

void tma_load(const CUtensorMap& map, const TmaShape& shape, int loads, float* out, int blocks, cudaStream_t stream) {
  launch<false>({map, shape, loads, out}, blocks, stream);
}

void tma_checksums(const CUtensorMap& map, const TmaShape& shape, float* out, int blocks, cudaStream_t stream) {
  launch<true>({map, shape, shape.boxes(), out}, blocks, stream);
}

}  // namespace kernels

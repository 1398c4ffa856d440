// SPDX-License-Identifier: Apache-2.0
#include "kernels/softmax/softmax.hpp"

namespace kernels {
namespace {

constexpr int kWarp = 32;

struct Sum {
  static constexpr float kNeutral = 0;
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct Largest {
  static constexpr float kNeutral = -3.402823466e+38f;
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

// The same value in every thread of the block.
template <class Join>
__device__ float over_block(float value, Join join) {
  __shared__ float warps[kWarp];
#pragma unroll
  for (int offset = kWarp / 2; offset > 0; offset /= 2)
    value = join(value, __shfl_xor_sync(0xffffffffu, value, offset));
  __syncthreads();  // the values of the call before have been read
  if (threadIdx.x % kWarp == 0) warps[threadIdx.x / kWarp] = value;
  __syncthreads();
  value = threadIdx.x % kWarp < blockDim.x / kWarp ? warps[threadIdx.x % kWarp] : Join::kNeutral;
#pragma unroll
  for (int offset = kWarp / 2; offset > 0; offset /= 2)
    value = join(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}

__global__ void softmax_kernel(const float* __restrict__ in, float* __restrict__ out, std::size_t rows, int columns) {
  extern __shared__ float row[];
  for (std::size_t r = blockIdx.x; r < rows; r += gridDim.x) {
    const float* from = in + r * columns;
    float* to = out + r * columns;
    float largest = Largest::kNeutral;
#pragma unroll 4
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
      row[i] = from[i];
      largest = fmaxf(largest, row[i]);
    }
    largest = over_block(largest, Largest());
    float sum = 0;
#pragma unroll 4
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
      row[i] = expf(row[i] - largest);
      sum += row[i];
    }
    const float scale = 1 / over_block(sum, Sum());
#pragma unroll 4
    for (int i = threadIdx.x; i < columns; i += blockDim.x) to[i] = row[i] * scale;
  }
}

}  // namespace

void softmax(const float* in, float* out, std::size_t rows, int columns, SoftmaxConfig config, cudaStream_t stream) {
  softmax_kernel<<<config.blocks, config.threads, config.shared_bytes, stream>>>(in, out, rows, columns);
}

}  // namespace kernels

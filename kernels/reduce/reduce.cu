// SPDX-License-Identifier: Apache-2.0
#include "kernels/reduce/reduce.hpp"

namespace kernels {
namespace {

constexpr int kWarp = 32;
constexpr int kInFlight = 4;

__device__ float sum_of_warp(float value) {
#pragma unroll
  for (int offset = kWarp / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

// Valid in thread 0.
__device__ float sum_of_block(float value) {
  __shared__ float warps[kWarp];
  value = sum_of_warp(value);
  if (threadIdx.x % kWarp == 0) warps[threadIdx.x / kWarp] = value;
  __syncthreads();
  if (threadIdx.x >= kWarp) return 0;
  return sum_of_warp(threadIdx.x < blockDim.x / kWarp ? warps[threadIdx.x] : 0.0f);
}

__device__ float sum_of_four(float4 value) { return (value.x + value.y) + (value.z + value.w); }

__device__ float sum_of_thread(const float* __restrict__ in, std::size_t count) {
  const std::size_t vectors = count / kStreamVector, step = std::size_t{blockDim.x} * gridDim.x;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const auto* in4 = reinterpret_cast<const float4*>(in);
  float sums[kInFlight] = {};
  std::size_t i = first;
  for (; i + (kInFlight - 1) * step < vectors; i += kInFlight * step) {
#pragma unroll
    for (int j = 0; j < kInFlight; ++j) sums[j] += sum_of_four(in4[i + j * step]);
  }
  for (; i < vectors; i += step) sums[0] += sum_of_four(in4[i]);
  for (std::size_t left = vectors * kStreamVector + first; left < count; left += step) sums[1] += in[left];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

__global__ void atomic_kernel(const float* __restrict__ in, std::size_t count, float* out) {
  const float sum = sum_of_block(sum_of_thread(in, count));
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

__global__ void pass_kernel(const float* __restrict__ in, std::size_t count, float* out) {
  const float sum = sum_of_block(sum_of_thread(in, count));
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

}  // namespace

void reduce_atomic(const float* in, std::size_t count, float* out, StreamConfig config, cudaStream_t stream) {
  atomic_kernel<<<config.blocks, config.threads, 0, stream>>>(in, count, out);
}

void reduce_two_pass(const float* in, std::size_t count, float* partial, float* out, StreamConfig config,
                     cudaStream_t stream) {
  pass_kernel<<<config.blocks, config.threads, 0, stream>>>(in, count, partial);
  pass_kernel<<<1, config.threads, 0, stream>>>(partial, static_cast<std::size_t>(config.blocks), out);
}

}  // namespace kernels

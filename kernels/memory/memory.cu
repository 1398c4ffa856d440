// SPDX-License-Identifier: Apache-2.0
#include "kernels/memory/memory.hpp"

namespace kernels {
namespace {

constexpr int kInFlight = 4;  // independent accesses of a thread before the first use

// Calls `four(i)` for vectors of four elements, several at a time, and `one(i)` for the elements that are left.
template <class Load, class Store, class One>
__device__ void stream(std::size_t count, Load load, Store store, One one) {
  const std::size_t vectors = count / kStreamVector, step = std::size_t{blockDim.x} * gridDim.x;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::size_t i = first;
  for (; i + (kInFlight - 1) * step < vectors; i += kInFlight * step) {
    decltype(load(i)) values[kInFlight];
#pragma unroll
    for (int j = 0; j < kInFlight; ++j) values[j] = load(i + j * step);
#pragma unroll
    for (int j = 0; j < kInFlight; ++j) store(i + j * step, values[j]);
  }
  for (; i < vectors; i += step) store(i, load(i));
  for (std::size_t left = vectors * kStreamVector + first; left < count; left += step) one(left);
}

__global__ void copy_kernel(const float* __restrict__ in, float* __restrict__ out, std::size_t count) {
  const auto* in4 = reinterpret_cast<const float4*>(in);
  auto* out4 = reinterpret_cast<float4*>(out);
  stream(
      count, [&](std::size_t i) { return in4[i]; }, [&](std::size_t i, float4 value) { out4[i] = value; },
      [&](std::size_t i) { out[i] = in[i]; });
}

struct Pair {
  float4 a, b;
};

__global__ void triad_kernel(const float* __restrict__ a, const float* __restrict__ b, float scale,
                             float* __restrict__ out, std::size_t count) {
  const auto *a4 = reinterpret_cast<const float4*>(a), *b4 = reinterpret_cast<const float4*>(b);
  auto* out4 = reinterpret_cast<float4*>(out);
  stream(
      count,
      [&](std::size_t i) {
        return Pair{a4[i], b4[i]};
      },
      [&](std::size_t i, Pair value) {
        out4[i] = make_float4(value.a.x + scale * value.b.x, value.a.y + scale * value.b.y,
                              value.a.z + scale * value.b.z, value.a.w + scale * value.b.w);
      },
      [&](std::size_t i) { out[i] = a[i] + scale * b[i]; });
}

}  // namespace

void copy(const float* in, float* out, std::size_t count, StreamConfig config, cudaStream_t stream) {
  copy_kernel<<<config.blocks, config.threads, 0, stream>>>(in, out, count);
}

void triad(const float* a, const float* b, float scale, float* out, std::size_t count, StreamConfig config,
           cudaStream_t stream) {
  triad_kernel<<<config.blocks, config.threads, 0, stream>>>(a, b, scale, out, count);
}

}  // namespace kernels

// SPDX-License-Identifier: Apache-2.0
#include "kernels/bsr_gemm/cuda/rounding.hpp"

#include "kernels/bench/cuda.hpp"
#include "kernels/bsr_gemm/cuda/plain.cuh"

namespace kernels::bsr {
namespace {

constexpr int kThreads = 256, kBlocks = 4096;

template <class T>
__global__ void __launch_bounds__(kThreads)
    round_all(const float* __restrict__ sums, T* __restrict__ c, std::size_t count) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * kThreads;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x; i < count; i += step)
    c[i] = rounded<T>(sums[i]);
}

}  // namespace

void round_sums(DataType type, const float* sums, void* c, std::size_t count, cudaStream_t stream) {
  if (type == DataType::fp16) {
    round_all<<<kBlocks, kThreads, 0, stream>>>(sums, static_cast<__half*>(c), count);
  } else {
    round_all<<<kBlocks, kThreads, 0, stream>>>(sums, static_cast<__nv_bfloat16*>(c), count);
  }
  bench::check(cudaGetLastError(), "launching the rounding");
}

}  // namespace kernels::bsr

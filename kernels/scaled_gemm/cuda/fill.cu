// SPDX-License-Identifier: Apache-2.0
#include "kernels/scaled_gemm/cuda/fill.hpp"

#include "kernels/bench/cuda.hpp"
#include "kernels/scaled_gemm/inputs.hpp"

namespace kernels::scaled {
namespace {

constexpr int kThreads = 256, kBlocks = 2048;

__global__ void operands_kernel(std::uint8_t* data, std::size_t count, std::uint64_t seed) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    data[i] = operand_at(seed, i);
}
__global__ void scales_kernel(float* data, std::size_t count, std::uint64_t seed) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    data[i] = scale_at(seed, i);
}

}  // namespace

void fill_operands(std::uint8_t* data, std::size_t count, std::uint64_t seed, cudaStream_t stream) {
  operands_kernel<<<kBlocks, kThreads, 0, stream>>>(data, count, seed);
  bench::check(cudaGetLastError(), "filling operands");
}
void fill_scales(float* data, std::size_t count, std::uint64_t seed, cudaStream_t stream) {
  scales_kernel<<<kBlocks, kThreads, 0, stream>>>(data, count, seed);
  bench::check(cudaGetLastError(), "filling scales");
}

}  // namespace kernels::scaled

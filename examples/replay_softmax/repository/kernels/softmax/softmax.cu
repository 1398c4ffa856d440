// SPDX-License-Identifier: Apache-2.0
// First generation: each thread goes over a row of its own, three times.
#include "kernels/softmax/softmax.hpp"

namespace kernels {
namespace {

__global__ void softmax_kernel(const float* __restrict__ in, float* __restrict__ out, std::size_t rows, int columns) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t r = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; r < rows; r += step) {
    const float* from = in + r * columns;
    float* to = out + r * columns;
    float largest = from[0];
    for (int i = 1; i < columns; ++i) largest = fmaxf(largest, from[i]);
    float sum = 0;
    for (int i = 0; i < columns; ++i) sum += expf(from[i] - largest);
    for (int i = 0; i < columns; ++i) to[i] = expf(from[i] - largest) / sum;
  }
}

}  // namespace

void softmax(const float* in, float* out, std::size_t rows, int columns, SoftmaxConfig config, cudaStream_t stream) {
  softmax_kernel<<<config.blocks, config.threads, 0, stream>>>(in, out, rows, columns);
}

}  // namespace kernels

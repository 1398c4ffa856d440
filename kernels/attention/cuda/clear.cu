// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "kernels/attention/cuda/variants.hpp"
#include "kernels/bench/cuda.hpp"

namespace kernels::attention {
namespace {

__global__ void clear_kernel(std::uint16_t* out, std::size_t count, Shape shape, Strides strides) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    const std::size_t column = i % shape.depth, row = i / shape.depth % shape.queries;
    const std::size_t head = i / shape.depth / shape.queries;
    out[head / shape.heads * strides.batch + head % shape.heads * strides.head + row * strides.row + column] = 0;
  }
}

}  // namespace

Launch clearing(const Problem& problem) {
  Shape shape = problem.shape;
  if (problem.layout() == Layout::packed) shape.batch = 1;  // its rows are counted through all sequences
  return [out = problem.o, strides = problem.o_strides, shape](cudaStream_t stream) {
    clear_kernel<<<256, 256, 0, stream>>>(static_cast<std::uint16_t*>(out), shape.query_count(), shape, strides);
    bench::check(cudaGetLastError(), "clearing the output");
  };
}

}  // namespace kernels::attention

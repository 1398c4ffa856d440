// SPDX-License-Identifier: Apache-2.0
#include "kernels/reduce/cub.hpp"

#include <cub/device/device_reduce.cuh>

#include "kernels/bench/cuda.hpp"

namespace kernels {

std::size_t reduce_cub_bytes(std::size_t count) {
  std::size_t bytes = 0;
  const float* in = nullptr;
  float* out = nullptr;
  bench::check(cub::DeviceReduce::Sum(nullptr, bytes, in, out, count), "asking CUB for the size of its scratch memory");
  return bytes;
}

void reduce_cub(const float* in, std::size_t count, void* scratch, std::size_t scratch_bytes, float* out,
                cudaStream_t stream) {
  bench::check(cub::DeviceReduce::Sum(scratch, scratch_bytes, in, out, count, stream), "CUB's sum");
}

}  // namespace kernels

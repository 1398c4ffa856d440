// SPDX-License-Identifier: Apache-2.0
#pragma once

// The peer: CUB's sum of an array, from the toolkit.

#include <cuda_runtime.h>

#include <cstddef>

namespace kernels {

// Bytes of scratch memory that `reduce_cub` needs for so many elements.
[[nodiscard]] std::size_t reduce_cub_bytes(std::size_t count);
void reduce_cub(const float* in, std::size_t count, void* scratch, std::size_t scratch_bytes, float* out,
                cudaStream_t stream);

}  // namespace kernels

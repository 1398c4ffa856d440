// SPDX-License-Identifier: Apache-2.0
#pragma once

// Copy and triad: what the memory of the GPU yields. Pointers are aligned to 16 bytes; each element is written once.

#include <cuda_runtime.h>

#include "kernels/memory/stream_config.hpp"

namespace kernels {

void copy(const float* in, float* out, std::size_t count, StreamConfig config, cudaStream_t stream);

// out = a + scale * b
void triad(const float* a, const float* b, float scale, float* out, std::size_t count, StreamConfig config,
           cudaStream_t stream);

}  // namespace kernels

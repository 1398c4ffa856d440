// SPDX-License-Identifier: Apache-2.0
#pragma once

// The sum of an array of floats. The input is aligned to 16 bytes.

#include <cuda_runtime.h>

#include "kernels/memory/stream_config.hpp"

namespace kernels {

// Adds the sum to *out, which the caller has set to zero; the order of the sums, so their rounding, differs by run.
void reduce_atomic(const float* in, std::size_t count, float* out, StreamConfig config, cudaStream_t stream);

// Writes the sum to *out; always in the same order. `partial` has room for one float a block.
void reduce_two_pass(const float* in, std::size_t count, float* partial, float* out, StreamConfig config,
                     cudaStream_t stream);

}  // namespace kernels

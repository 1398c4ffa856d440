// SPDX-License-Identifier: Apache-2.0
#pragma once

// Fills the suite's operands on the GPU as inputs.hpp says. Only enqueues; errors of the launch are thrown.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace kernels::scaled {

void fill_operands(std::uint8_t* data, std::size_t count, std::uint64_t seed, cudaStream_t stream);
void fill_scales(float* data, std::size_t count, std::uint64_t seed, cudaStream_t stream);

}  // namespace kernels::scaled

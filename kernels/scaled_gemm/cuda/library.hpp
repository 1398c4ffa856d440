// SPDX-License-Identifier: Apache-2.0
#pragma once

// cuBLASLt's e4m3 products, as peers.

#include "kernels/scaled_gemm/cuda/configurations.hpp"

namespace kernels::scaled {

// per_tensor: one scale for each operand, and sums left to the tensor cores (fast accumulation): less work and less
// exact. blocks: the same scales as ours.
enum class Library { per_tensor, blocks };
[[nodiscard]] const char* to_string(Library library);

// Batched problems of one matrix. Throws std::runtime_error where the library has no algorithm.
[[nodiscard]] Launch prepare_library(const Problem& problem, Library library);

}  // namespace kernels::scaled

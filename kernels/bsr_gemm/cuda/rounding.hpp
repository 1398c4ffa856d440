// SPDX-License-Identifier: Apache-2.0
#pragma once

// For variants whose sums lie in memory in fp32: the last step to C.

#include "kernels/bsr_gemm/cuda/problem.hpp"

namespace kernels::bsr {

void round_sums(DataType type, const float* sums, void* c, std::size_t count, cudaStream_t stream);

}  // namespace kernels::bsr

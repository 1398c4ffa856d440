// SPDX-License-Identifier: Apache-2.0
#pragma once

// Softmax of each row of a rows x columns matrix, the largest element subtracted first. columns: 1 to
// kSoftmaxColumnsMax.

#include <cuda_runtime.h>

#include "kernels/softmax/softmax_config.hpp"

namespace kernels {

void softmax(const float* in, float* out, std::size_t rows, int columns, SoftmaxConfig config, cudaStream_t stream);

}  // namespace kernels

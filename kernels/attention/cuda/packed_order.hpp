// SPDX-License-Identifier: Apache-2.0
#pragma once

// The order in which the tiles of packed sequences are taken, found on the GPU before each launch.

#include <cuda_runtime.h>

#include "kernels/attention/attention.hpp"
#include "kernels/attention/cuda/layout_arguments.hpp"

namespace kernels::attention {

// Writes `count` sequences and the end behind them. Those with the most keys come first, so that light tiles fill up
// the end; above 1,024 sequences this holds among each 1,024 of them.
void order_sequences(const PackedSequences& given, int count, int tile_rows, PackedSequence* out, cudaStream_t stream);

}  // namespace kernels::attention

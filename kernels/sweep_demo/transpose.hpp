// SPDX-License-Identifier: Apache-2.0
#pragma once

// out = transpose(in) for halves, in: rows x kColumns, rows a multiple of BLOCK_M. Made for sweeps: its constraints are
// real and are found out only by running.
//   BLOCK_M    rows of a tile. A warp stores 16 bytes, so its share of the rows must be a multiple of 8 elements.
//   NUM_WARPS  warps of a block
//   STAGES     tiles in shared memory at a time; nobody asks for more of it than every block may have

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#ifndef BLOCK_M
#define BLOCK_M 64
#endif
#ifndef NUM_WARPS
#define NUM_WARPS 4
#endif
#ifndef STAGES
#define STAGES 1
#endif

namespace kernels {

inline constexpr int kColumns = 256;
inline constexpr int kBlockM = BLOCK_M, kWarps = NUM_WARPS, kStages = STAGES;
inline constexpr int kTransposeThreads = 32 * kWarps;
inline constexpr std::size_t kTransposeShared = sizeof(__half) * kStages * kBlockM * kColumns;

void transpose(const __half* in, __half* out, int rows, cudaStream_t stream);

}  // namespace kernels

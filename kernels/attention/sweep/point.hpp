// SPDX-License-Identifier: Apache-2.0
#pragma once

// The point of a sweep that this build is: -DBLOCK_M=… -DBLOCK_N=… -DNUM_WARPS=… -DSTAGES=… -DHEAD_DIM=…. A combination
// that cannot work does not compile, and the compiler says why.

#include "kernels/attention/cuda/tunable.hpp"

#ifndef BLOCK_M
#define BLOCK_M 64
#endif
#ifndef BLOCK_N
#define BLOCK_N 64
#endif
#ifndef NUM_WARPS
#define NUM_WARPS 4
#endif
#ifndef STAGES
#define STAGES 2
#endif
#ifndef HEAD_DIM
#define HEAD_DIM 64
#endif

namespace kernels::attention {

inline constexpr Tuning kPoint{BLOCK_M, BLOCK_N, NUM_WARPS, STAGES};
inline constexpr int kPointDepth = HEAD_DIM;

[[nodiscard]] TunableKernel point_kernel(DataType type);

}  // namespace kernels::attention

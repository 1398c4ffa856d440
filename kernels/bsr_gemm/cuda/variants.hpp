// SPDX-License-Identifier: Apache-2.0
#pragma once

// What each file of this folder offers to variants.cpp. The plain kernels take any block and any N.

#include "kernels/bsr_gemm/cuda/problem.hpp"

namespace kernels::bsr {

[[nodiscard]] Launch prepare_atomics(const Problem& problem);
[[nodiscard]] Launch prepare_registers(const Problem& problem);
[[nodiscard]] Launch prepare_vectorized(const Problem& problem);

[[nodiscard]] Launch prepare_wmma(const Problem& problem);

}  // namespace kernels::bsr

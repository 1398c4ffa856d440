// SPDX-License-Identifier: Apache-2.0
#pragma once

// What each way to compute a product should take: a simple model with the rates that docs/GPU_FIGURES.md measured on an
// H200, scaled by multiprocessors. It orders the tuner's candidates and decides nothing that is measured. Pure.

#include <string_view>

#include "kernels/bsr_gemm/cuda/wgmma_config.hpp"

namespace kernels::bsr {

// One tile of C after the other: what the multiplications take or what the L2 must give, whichever is more, on the
// multiprocessor that has most tiles.
[[nodiscard]] double predicted_us(const WgmmaConfig& config, const BsrMatrix& pattern, int n, int multiprocessors);

// Of a variant without parameters; throws std::invalid_argument for one that is not known.
[[nodiscard]] double predicted_us(std::string_view variant, const BsrMatrix& pattern, int n, int multiprocessors);

// Where the share of blocks that are there lies, in steps of half a power of two: 12.5 % is "2^-3.0". "0" for none.
[[nodiscard]] std::string density_bucket(const BsrMatrix& pattern);

}  // namespace kernels::bsr

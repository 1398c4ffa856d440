// SPDX-License-Identifier: Apache-2.0
#pragma once

// What each file of this folder offers to variants.cpp. The plain kernels take any block and any N.

#include "kernels/bsr_gemm/cuda/problem.hpp"
#include "kernels/bsr_gemm/cuda/wgmma_config.hpp"

namespace kernels::bsr {

[[nodiscard]] Launch prepare_atomics(const Problem& problem);
[[nodiscard]] Launch prepare_registers(const Problem& problem);
[[nodiscard]] Launch prepare_vectorized(const Problem& problem);

[[nodiscard]] Launch prepare_wmma(const Problem& problem);

// With a configuration of the caller's choice; one that is not compiled in throws.
[[nodiscard]] Launch prepare_wgmma_as(const Problem& problem, const WgmmaConfig& config);
[[nodiscard]] Launch prepare_wgmma(const Problem& problem);

// The libraries' products. They take problems that their own rules allow.
[[nodiscard]] const char* library_refusal(const BsrMatrix& pattern, int n);
[[nodiscard]] Launch prepare_cublaslt_per_block(const Problem& problem);
[[nodiscard]] const char* cusparse_refusal(const BsrMatrix& pattern, int n);
[[nodiscard]] Launch prepare_cusparse(const Problem& problem);
[[nodiscard]] Launch prepare_dense(const Problem& problem);

// Chooses among all of these, with a tuner of its own, as the environment sets it up; measures in one place alone, for
// a check asks only that what is chosen is right.
[[nodiscard]] Launch prepare_tuned(const Problem& problem);

}  // namespace kernels::bsr

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernel that this commit builds, checks and times.

#include "kernels/bsr_gemm/cuda/variants.hpp"

namespace kernels::bsr {

[[nodiscard]] inline Launch product(const Problem& problem) { return prepare_atomics(problem); }

}  // namespace kernels::bsr

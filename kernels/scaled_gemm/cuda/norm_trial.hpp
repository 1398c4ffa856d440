// SPDX-License-Identifier: Apache-2.0
#pragma once

// RMSNorm with quantisation on the GPU against double precision.

#include <cstdint>

#include "kernels/common/outcome.hpp"
#include "kernels/scaled_gemm/fuzz.hpp"

namespace kernels::scaled {

// zeros: whole blocks of a row are zero; extreme: rows of very different size. Throws CudaError.
[[nodiscard]] Outcome judged_norm(int rows, int columns, Content content, std::uint64_t seed);

}  // namespace kernels::scaled

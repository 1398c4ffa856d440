// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random shapes for the check program's --fuzz, and the way from a failing shape to a small one. Pure: the same seed
// gives the same shapes on every machine, and nothing is run here but what the caller hands in.

#include <functional>

#include "kernels/bsr_gemm/generate.hpp"

namespace kernels::bsr {

// Blocks divide M and K; N is any. Empty matrices and empty rows are among them.
[[nodiscard]] Shape random_shape(std::uint64_t seed);

// Makes a failing shape smaller, one step at a time, as long as it fails. Ends where no step still fails.
[[nodiscard]] Shape smallest_failing(Shape shape, const std::function<bool(const Shape&)>& fails);

}  // namespace kernels::bsr

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The configuration that measures fastest for a problem on this GPU: tile, cluster, order of tiles, and for few rows
// how many blocks share K. See kernels/autotune/README.md.

#include "kernels/autotune/tuner.hpp"
#include "kernels/scaled_gemm/cuda/configurations.hpp"

namespace kernels::scaled {

// A tuner whose environment is this GPU, the driver and these kernels. Throws CudaError without a GPU.
[[nodiscard]] autotune::Tuner make_tuner(autotune::Settings settings);

// All that can compute the shape and differ by what is chosen, in the order of their predicted times.
[[nodiscard]] std::vector<autotune::Candidate> tuner_candidates(const Shape& shape, int multiprocessors);

struct Tuned {
  Launch launch;
  autotune::Decision decision;
};
// Measures on the problem's operands and on a C of its own. A configuration that is `pinned` is taken unmeasured. Of
// groups the choice is kept for the shape: how many rows count is read on the GPU.
[[nodiscard]] Tuned prepare_tuned_by(autotune::Tuner& tuner, const Problem& problem, std::string_view pinned = {});

}  // namespace kernels::scaled

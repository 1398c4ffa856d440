// SPDX-License-Identifier: Apache-2.0
#pragma once

// The variant that chooses: of all the others and their parameters the one that measures fastest for the problem on
// this GPU. See kernels/autotune/README.md. A configuration is VARIANT or VARIANT/PARAMETERS: dense, wgmma/64x512x64.

#include <string>
#include <string_view>
#include <vector>

#include "kernels/autotune/tuner.hpp"
#include "kernels/bsr_gemm/cuda/problem.hpp"

namespace kernels::bsr {

// A tuner whose environment is this GPU, the driver, the libraries and these kernels. Throws CudaError without a GPU.
[[nodiscard]] autotune::Tuner make_tuner(autotune::Settings settings);

// All that can compute the problem, in the order of their predicted times.
[[nodiscard]] std::vector<autotune::Candidate> tuner_candidates(const BsrMatrix& pattern, int n);

// Throws std::runtime_error where there is no such configuration or it does not take the problem.
[[nodiscard]] Launch prepare_configuration(const Problem& problem, std::string_view configuration);

struct Tuned {
  Launch launch;
  autotune::Decision decision;
};
// Of the operands in memory while they are measured on: one is quicker, and by some per cent less certain.
enum class Places { one, several };

// Measures on the problem's values and B, and on a C of its own. A configuration that is `pinned` is taken unmeasured.
// Nothing is chosen for a product that is zero: its configuration is "clear".
[[nodiscard]] Tuned prepare_tuned_by(autotune::Tuner& tuner, const Problem& problem, std::string_view pinned = {},
                                     Places places = Places::several);

}  // namespace kernels::bsr

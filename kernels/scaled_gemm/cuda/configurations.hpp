// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernels and tiles that can compute a problem, by name: wide/ROWSxCOLUMNSxCLUSTER[free][sSTAGES][/SECTION] for
// many rows, narrow/ROWSxCOLUMNSxPARTS for few. SECTION is how many rows of tiles are taken together (TileOrder).

#include <cuda_runtime.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/scaled_gemm/scaled_gemm.hpp"

namespace kernels::scaled {

using Launch = std::function<void(cudaStream_t)>;

// Why the configuration cannot compute the shape; empty if it can. Needs no GPU.
[[nodiscard]] std::string refusal(const Shape& shape, std::string_view configuration);

// All that are not refused, each kernel with its usual section.
[[nodiscard]] std::vector<std::string> configurations_for(const Shape& shape);
[[nodiscard]] std::vector<std::string> all_configurations();

// The one to take unmeasured.
[[nodiscard]] std::string usual_configuration(const Shape& shape, int multiprocessors);

// Throws std::runtime_error for a problem that is refused. The operands must outlive the launch.
[[nodiscard]] Launch prepare(const Problem& problem, std::string_view configuration);

}  // namespace kernels::scaled

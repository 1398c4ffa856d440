// SPDX-License-Identifier: Apache-2.0
#pragma once

// The variants of attention on a GPU. A launch may be captured in a graph; launches of one prepared problem must
// follow each other, since they may share a counter.

#include <cuda_runtime.h>

#include <span>
#include <vector>

#include "kernels/attention/attention.hpp"

namespace kernels::attention {

using Launch = std::function<void(cudaStream_t)>;

// One way to compute a problem: the name has the variant and its configuration, as in wgmma/128x128 or
// wgmma/packed/128x128.
struct Configuration {
  std::string name;
  std::function<const char*(const Problem&)> refusal;  // why it cannot; null where it can
  std::function<Launch(const Problem&)> prepare;       // throws where the GPU or the program cannot
};

// All that this program holds, for both types.
[[nodiscard]] const std::vector<Configuration>& configurations();

// The one of a name that takes the problem: several depths have tiles of the same name. Throws std::invalid_argument
// with why there is none.
[[nodiscard]] const Configuration& configuration_for(const Problem& problem, const std::string& name);

// The one to take unmeasured for a problem that wgmma does not refuse: wgmma on a Hopper card and for packed sequences
// and block patterns, else tunable. Throws CudaError without a GPU.
[[nodiscard]] std::string default_configuration(const Problem& problem, int multiprocessors);

// Sets all of the output to zero: what attention to no keys is.
[[nodiscard]] Launch clearing(const Problem& problem);

}  // namespace kernels::attention

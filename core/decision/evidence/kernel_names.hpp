// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names of kernels short enough to read. Templates of Thrust and CUB run to thousands of letters, of which a few
// differ.

#include <span>
#include <string>
#include <vector>

namespace kernelgate {

// One for each name, in order: the function's own name, and where several share it what differs between them.
[[nodiscard]] std::vector<std::string> short_kernel_names(std::span<const std::string> full_names);

}  // namespace kernelgate

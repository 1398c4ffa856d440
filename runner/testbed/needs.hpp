// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a suite's manifest entry requires of the machine. Pure.

#include <string>

#include "core/manifest/manifest.hpp"
#include "runner/testbed/testbed.hpp"

namespace kernelgate {

// What this machine lacks, in words: "gemm needs compute capability 9.0 and this machine has 8.6". Empty: nothing.
[[nodiscard]] std::string unmet_needs(const SuiteSpec& spec, const MachineFacts& machine);

}  // namespace kernelgate

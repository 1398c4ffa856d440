// SPDX-License-Identifier: Apache-2.0
#pragma once

// The seed of a run: chooses which side of each pair starts. Below 2^53, so that every JSON reader
// keeps all its digits.

#include <cstdint>

namespace kernelgate::service {

[[nodiscard]] std::uint64_t random_seed();

}  // namespace kernelgate::service

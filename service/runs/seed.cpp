// SPDX-License-Identifier: Apache-2.0
#include "service/runs/seed.hpp"

#include <string>

#include "core/units/digest.hpp"

namespace kernelgate::service {

std::uint64_t random_seed() { return std::stoull(random_hex(8), nullptr, 16) >> 11; }

}  // namespace kernelgate::service

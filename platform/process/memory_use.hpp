// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a process and its descendants hold in memory now, for machines without control groups. A page that several of
// them share counts for each: more than it is, never less.

#include <sys/types.h>

#include "core/units/strong.hpp"

namespace kernelgate {

[[nodiscard]] Bytes memory_of_tree(pid_t root);
[[nodiscard]] Bytes memory_of_machine();

}  // namespace kernelgate

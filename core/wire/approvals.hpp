// SPDX-License-Identifier: Apache-2.0
#pragma once

// What becomes of a held run.

#include <string>

namespace kernelgate::wire {

struct RefuseRequest {
  std::string reason;  // shown with the run; not empty
};

}  // namespace kernelgate::wire

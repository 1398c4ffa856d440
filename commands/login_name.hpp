// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who acts in a local store: the name that its audit log keeps.

#include <string>

#include "commands/run/run.hpp"

namespace kernelgate::local {

[[nodiscard]] std::string login_name();

}  // namespace kernelgate::local

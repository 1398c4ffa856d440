// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which kernelgate this is. The revision is taken from git whenever the program is built.

#include <string>

namespace kernelgate::cli {

// "kernelgate 0.1.0 (1a2b3c4d5e)"; "-dirty" where the work tree differed, "unknown" where there was no git.
[[nodiscard]] std::string version_line();

}  // namespace kernelgate::cli

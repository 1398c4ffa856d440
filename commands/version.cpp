// SPDX-License-Identifier: Apache-2.0
#include "commands/version.hpp"

#include "kernelgate_revision.hpp"

namespace kernelgate::cli {

std::string version_line() { return "kernelgate " KERNELGATE_VERSION " (" KERNELGATE_REVISION ")"; }

}  // namespace kernelgate::cli

// SPDX-License-Identifier: Apache-2.0
#include "commands/login_name.hpp"

#include <pwd.h>
#include <unistd.h>

namespace kernelgate::local {

std::string login_name() {
  const passwd* entry = getpwuid(geteuid());
  return entry != nullptr ? entry->pw_name : std::to_string(geteuid());
}

}  // namespace kernelgate::local

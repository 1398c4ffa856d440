// SPDX-License-Identifier: Apache-2.0
#include "runner/process/command_line.hpp"

namespace kernelgate {

std::vector<std::string> shell_argv(std::string_view line, const std::vector<std::string>& extra) {
  std::vector<std::string> argv{"/bin/sh", "-c", std::string(line), "sh"};
  if (!extra.empty()) argv[2] += " \"$@\"";
  argv.insert(argv.end(), extra.begin(), extra.end());
  return argv;
}

std::string shell_quote(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += "'\\''";
    else out += c;
  }
  return out + "'";
}

}  // namespace kernelgate

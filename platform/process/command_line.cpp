// SPDX-License-Identifier: Apache-2.0
#include "platform/process/command_line.hpp"

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
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@%,=";
  const bool plain = !text.empty() && text.find_first_not_of(kPlain) == text.npos;
  return plain ? std::string(text) : shell_quote(text);
}

}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/last_words.hpp"

#include <vector>

namespace kernelgate {

std::string last_words(std::string_view text) {
  constexpr std::size_t kLinesMost = 5;
  constexpr std::size_t kBytesMost = 1000;
  std::string out;
  for (std::size_t lines = 0; lines < kLinesMost && !text.empty();) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
    const std::size_t start = text.rfind('\n');
    const std::string_view line = start == text.npos ? text : text.substr(start + 1);
    text = start == text.npos ? std::string_view() : text.substr(0, start);
    if (line.empty()) continue;
    if (out.size() + line.size() > kBytesMost) break;
    out = out.empty() ? std::string(line) : std::string(line) + " | " + out;
    ++lines;
  }
  return out;
}

}  // namespace kernelgate

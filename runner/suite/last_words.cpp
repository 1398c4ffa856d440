// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/last_words.hpp"

namespace kernelgate {
namespace {

constexpr std::size_t kLinesMost = 5, kBytesMost = 1000;

// Both ends of a line that is too long.
std::string ends_of(std::string_view line) {
  constexpr std::size_t kHalf = kBytesMost / 2 - 2;  // "…" has three bytes
  if (line.size() <= kBytesMost) return std::string(line);
  return std::string(line.substr(0, kHalf)) + "…" + std::string(line.substr(line.size() - kHalf));
}

}  // namespace

std::string last_words(std::string_view text) {
  std::string out;
  for (std::size_t lines = 0; lines < kLinesMost && !text.empty();) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
    const std::size_t start = text.rfind('\n');
    const std::string_view line = start == text.npos ? text : text.substr(start + 1);
    text = start == text.npos ? std::string_view() : text.substr(0, start);
    if (line.empty()) continue;
    if (!out.empty() && out.size() + 3 + line.size() > kBytesMost) break;
    out = out.empty() ? ends_of(line) : std::string(line) + " | " + out;
    ++lines;
  }
  return out;
}

}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#include "core/units/git_hash.hpp"

#include <algorithm>

namespace kernelgate {

bool is_git_hash(std::string_view text) {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return (text.size() == 40 || text.size() == 64) && std::all_of(text.begin(), text.end(), is_hex);
}

}  // namespace kernelgate

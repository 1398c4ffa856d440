// SPDX-License-Identifier: Apache-2.0
#include "core/units/git_hash.hpp"

namespace kernelgate {

namespace {

constexpr std::size_t kPrefixMin = 4;  // git's own

bool is_hex(std::string_view text) { return text.find_first_not_of("0123456789abcdef") == std::string_view::npos; }

}  // namespace

bool is_git_hash(std::string_view text) { return (text.size() == 40 || text.size() == 64) && is_hex(text); }

bool is_git_hash_prefix(std::string_view text) {
  return text.size() >= kPrefixMin && text.size() <= 64 && is_hex(text);
}

}  // namespace kernelgate

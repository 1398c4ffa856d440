// SPDX-License-Identifier: Apache-2.0
#include "core/wire/messages.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace kernelgate::wire {
namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, 5> kBaseKinds{"explicit_commit", "before", "merge_base", "first_parent", "none"};

}  // namespace

std::string_view to_string(BaseKind kind) { return kBaseKinds[static_cast<std::size_t>(kind)]; }

std::optional<BaseKind> parse_base_kind(std::string_view text) {
  const auto at = std::find(kBaseKinds.begin(), kBaseKinds.end(), text);
  if (at == kBaseKinds.end()) return std::nullopt;
  return static_cast<BaseKind>(at - kBaseKinds.begin());
}

}  // namespace kernelgate::wire

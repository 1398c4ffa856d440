// SPDX-License-Identifier: Apache-2.0
#include "core/decision/evidence/evidence.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace kernelgate {
namespace {

// The names, in the order of the enumerators.
constexpr std::array<std::string_view, 5> kProcessEnds{"ok", "failed", "crashed", "timed_out", "garbage"};
constexpr std::array<std::string_view, 5> kBuildEnds{"not_needed", "built", "cached", "failed", "skipped"};

template <class Enum>
std::optional<Enum> find(const std::array<std::string_view, 5>& names, std::string_view text) {
  const auto at = std::find(names.begin(), names.end(), text);
  if (at == names.end()) return std::nullopt;
  return static_cast<Enum>(at - names.begin());
}

}  // namespace

std::string_view to_string(ProcessEnd end) { return kProcessEnds[static_cast<std::size_t>(end)]; }
std::string_view to_string(BuildEnd end) { return kBuildEnds[static_cast<std::size_t>(end)]; }

std::optional<ProcessEnd> parse_process_end(std::string_view text) { return find<ProcessEnd>(kProcessEnds, text); }
std::optional<BuildEnd> parse_build_end(std::string_view text) { return find<BuildEnd>(kBuildEnds, text); }

}  // namespace kernelgate

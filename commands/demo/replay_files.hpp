// SPDX-License-Identifier: Apache-2.0
#pragma once

// The replays' files as the executable carries them, so that the demo works from anywhere; CMakeLists.txt names
// them. A replay has steps.json, steps/*.patch, repository/**, and the kernel files that its steps.json names (by their
// path in this repository).

#include <optional>
#include <span>
#include <string_view>

namespace kernelgate::replay {

struct EmbeddedFile {
  std::string_view replay;
  std::string_view path;
  std::string_view text;
};

[[nodiscard]] std::span<const EmbeddedFile> files();
[[nodiscard]] std::optional<std::string_view> find(std::string_view replay, std::string_view path);

}  // namespace kernelgate::replay

// SPDX-License-Identifier: Apache-2.0
#include "commands/demo/replay_files.hpp"

#include <algorithm>

namespace kernelgate::replay {

std::optional<std::string_view> find(std::string_view replay, std::string_view path) {
  const auto all = files();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const EmbeddedFile& file) { return file.replay == replay && file.path == path; });
  if (found == all.end()) return std::nullopt;
  return found->text;
}

}  // namespace kernelgate::replay

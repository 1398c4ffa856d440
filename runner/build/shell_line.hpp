// SPDX-License-Identifier: Apache-2.0
#pragma once

// A command of the manifest as the shell gets it: first the lines that go to its folder and set its environment, then
// the command, so that a tool can be put in front of the command alone. What a manifest sets is set by the shell inside
// the sandbox, where nothing of ours runs any more. Pure.

#include <string>
#include <string_view>

#include "core/manifest/manifest.hpp"
#include "core/units/result.hpp"

namespace kernelgate {

struct ShellLine {
  std::string before;  // whole lines, or nothing
  std::string command;
  [[nodiscard]] std::string text() const { return before + command; }
};

// `source` and `build` as the program sees them. A leading "cd FOLDER &&" of the line becomes one of the lines before.
[[nodiscard]] Result<ShellLine> shell_line(const CommandSetting& setting, std::string_view line,
                                           const std::string& source, const std::string& build);

}  // namespace kernelgate

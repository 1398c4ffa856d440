// SPDX-License-Identifier: Apache-2.0
#include "runner/build/shell_line.hpp"

#include "platform/process/command_line.hpp"

namespace kernelgate {

Result<ShellLine> shell_line(const CommandSetting& setting, std::string_view line, const std::string& source,
                             const std::string& build) {
  ShellLine out;
  const auto word = [&](std::string_view text) -> Result<std::string> {
    auto expanded = expand(text, source, build);
    if (!expanded) return expanded;
    return shell_word(*expanded);
  };
  const auto go_to = [&](std::string_view folder) -> Status {
    const auto to = word(folder);
    if (!to) return pass_on(to);
    out.before += "cd " + *to + " || exit 1\n";
    return {};
  };
  if (!setting.cwd.empty())
    if (auto gone = go_to(setting.cwd); !gone) return pass_on(gone);
  for (const auto& [name, text] : setting.env) {
    const auto value = word(text);
    if (!value) return pass_on(value);
    out.before += "export " + name + "=" + *value + "\n";
  }
  std::string folders;
  for (const std::string& text : setting.path) {
    const auto folder = word(text);
    if (!folder) return pass_on(folder);
    folders += *folder + ":";
  }
  if (!folders.empty()) out.before += "export PATH=" + folders + "\"$PATH\"\n";
  const auto parts = leading_cd(line);
  if (parts)
    if (auto gone = go_to(parts->folder); !gone) return pass_on(gone);
  auto command = expand(parts ? std::string_view(parts->command) : line, shell_word(source), shell_word(build));
  if (!command) return pass_on(command);
  out.command = std::move(*command);
  return out;
}

}  // namespace kernelgate

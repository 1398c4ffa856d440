// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdio>
#include <memory>

#include "commands/bundle/replay.hpp"
#include "commands/commands.hpp"
#include "commands/version.hpp"
#include "core/decision/evidence/verdict.hpp"

namespace kernelgate::cli::cmd_replay {

void add(CLI::App& app, int& exit_code) {
  struct Flags {
    std::string file, format = "table";
  };
  auto flags = std::make_shared<Flags>();
  auto* command = app.add_subcommand("replay", "Judge a bundle anew from its samples; measures nothing");
  command->add_option("FILE", flags->file, "A bundle made by export")->required();
  command->add_option("--format", flags->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  command->callback([flags, &exit_code] {
    const auto replay = bundle::replay_file(flags->file, version_line());
    if (!replay) {
      (void)complain(replay.error());
      exit_code = kExitBadInput;  // there is no run: whatever is wrong with the file is the caller's
      return;
    }
    const std::string text =
        flags->format == "json" ? bundle::to_json(*replay) : bundle::to_table(*replay, report::style_of(stdout));
    std::fputs(text.c_str(), stdout);
    exit_code = bundle::exit_code(*replay);
  });
}

}  // namespace kernelgate::cli::cmd_replay

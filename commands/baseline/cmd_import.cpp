// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <string>

#include "commands/baseline/baseline_flags.hpp"
#include "commands/commands.hpp"

namespace kernelgate::cli::cmd_import {
namespace {

struct Flags {
  local::BaselineTarget target;
  std::string file, testbed;
};

int import_file(const Flags& flags) {
  const auto text = local::read_baseline_file(flags.file);
  if (!text) return complain(text.error());
  const auto baselines = local::Baselines::open(flags.target);
  if (!baselines) return complain(baselines.error());
  const auto done = (*baselines)->import_text(*text, flags.testbed);
  if (!done) return complain(done.error());
  std::printf("%s: %d baselines and %d of their runs are new here, %d baselines were known\n", flags.file.c_str(),
              done->baselines, done->runs, done->known);
  return 0;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("import", "Take baselines over that 'export --baselines' wrote");
  add_baseline_flags(*command, flags->target);
  command->add_option("FILE", flags->file, "The file")->required();
  command->add_option("--testbed", flags->testbed, "Name of their testbed here (default: as in the file)");
  command->callback([flags, &exit_code] { exit_code = import_file(*flags); });
}

}  // namespace kernelgate::cli::cmd_import

// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>

#include <cstdio>
#include <memory>
#include <string>

#include "commands/browse/ledger.hpp"
#include "commands/commands.hpp"
#include "commands/target_flags.hpp"
#include "core/ledger/tuning.hpp"
#include "core/wire/codec.hpp"

namespace kernelgate::cli::cmd_report {
namespace {

struct Flags {
  browse::Target target;
  browse::TuningWanted wanted;
  std::string format = "markdown";
};

int tuning(const Flags& flags) {
  const auto report = browse::tuning_report(flags.target, flags.wanted);
  if (!report) return complain(report.error());
  const std::string text = flags.format == "json" ? wire::encode(*report) + "\n" : ledger::tuning_markdown(*report);
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("report", "Pages made of what is stored");
  command->require_subcommand(1);
  CLI::App* one = command->add_subcommand("tuning", "What was tried, what came of it, what it cost, what is left");
  add_target_flags(*one, flags->target);
  one->add_option("--since", flags->wanted.since, "A day (2026-11-03), an instant in UTC, or how long ago (14d, 48h)");
  one->add_option("--branch", flags->wanted.branch, "Only this branch; 'attempt/*': those that begin so");
  one->add_option("--format", flags->format, "markdown or json")
      ->check(CLI::IsMember({"markdown", "json"}))
      ->capture_default_str();
  one->callback([flags, &exit_code] { exit_code = tuning(*flags); });
}

}  // namespace kernelgate::cli::cmd_report

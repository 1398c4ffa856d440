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

namespace kernelgate::cli::cmd_attempts {
namespace {

struct Flags {
  browse::Target target;
  browse::AttemptsWanted wanted;
  std::int64_t number = 0;
  std::string hypothesis, lesson, branch;
  std::string format = "table";
};

int list(const Flags& flags) {
  const auto found = browse::attempts(flags.target, flags.wanted);
  if (!found) return complain(found.error());
  const std::string text = flags.format == "json"       ? browse::to_json(*found)
                           : flags.format == "markdown" ? browse::to_markdown(*found)
                                                        : browse::to_table(*found, report::style_of(stdout));
  std::fputs(text.c_str(), stdout);
  return 0;
}

int show(const Flags& flags) {
  const auto found = browse::one_attempt(flags.target, flags.number);
  if (!found) return complain(found.error());
  const std::string text = flags.format == "json"       ? browse::to_json({*found})
                           : flags.format == "markdown" ? browse::to_markdown({*found})
                                                        : browse::to_text(*found);
  std::fputs(text.c_str(), stdout);
  return 0;
}

int write(const Flags& flags, wire::AttemptNote note) {
  if (!flags.hypothesis.empty()) note.hypothesis = flags.hypothesis;
  if (!flags.lesson.empty()) note.lesson = flags.lesson;
  const auto noted = browse::note(flags.target, std::move(note));
  if (!noted) return complain(noted.error());
  std::fputs(browse::to_text(*noted).c_str(), stdout);
  return 0;
}

void add_filters(CLI::App& command, browse::AttemptsWanted& wanted) {
  command.add_option("--outcome", wanted.outcome, "won, lost, broken …, by commas; failed: all that do not work");
  command.add_option("--branch", wanted.branch, "Only this branch; 'attempt/*': those that begin so");
  command.add_option("--since", wanted.since, "A day (2026-11-03), an instant in UTC, or how long ago (14d, 48h)");
  command.add_option("--suite", wanted.suite, "Only those that compared this suite");
  command.add_option("--benchmark", wanted.benchmark, "Only those that compared this benchmark");
  command.add_option("--text", wanted.text, "In branch, subject, point, hypothesis, lesson or failure");
  command.add_option("--limit", wanted.limit, "At most so many")->check(CLI::Range(1, 500))->capture_default_str();
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("attempts", "The ledger: what was tried, why, and what came of it");
  command->require_subcommand(1);
  CLI::App* all = command->add_subcommand("list", "The newest attempts");
  CLI::App* one = command->add_subcommand("show", "One attempt");
  CLI::App* note = command->add_subcommand("note", "Note a hypothesis or a lesson about a run's attempt");
  CLI::App* plan = command->add_subcommand("plan", "Note something still to be tried");
  for (CLI::App* each : {all, one, note, plan}) add_target_flags(*each, flags->target);
  add_filters(*all, flags->wanted);
  for (CLI::App* each : {all, one})
    each->add_option("--format", flags->format, "table, markdown or json")
        ->check(CLI::IsMember({"table", "markdown", "json"}))
        ->capture_default_str();
  one->add_option("attempt", flags->number, "Its number")->required()->check(CLI::PositiveNumber);
  note->add_option("run", flags->number, "Number of the run")->required()->check(CLI::PositiveNumber);
  note->add_option("--hypothesis", flags->hypothesis, "Why it should be faster");
  note->add_option("--lesson", flags->lesson, "What was learnt");
  plan->add_option("--hypothesis", flags->hypothesis, "Why it should be faster")->required();
  plan->add_option("--branch", flags->branch, "Its first run takes the note over");
  all->callback([flags, &exit_code] { exit_code = list(*flags); });
  one->callback([flags, &exit_code] { exit_code = show(*flags); });
  note->callback([flags, &exit_code] {
    exit_code = write(*flags, {.repository = {}, .run = flags->number, .branch = {}, .hypothesis = {}, .lesson = {}});
  });
  plan->callback([flags, &exit_code] {
    exit_code = write(*flags, {.repository = {}, .run = {}, .branch = flags->branch, .hypothesis = {}, .lesson = {}});
  });
}

}  // namespace kernelgate::cli::cmd_attempts

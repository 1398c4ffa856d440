// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "commands/compare/compare.hpp"
#include "commands/numbers.hpp"
#include "commands/output/report.hpp"
#include "core/decision/evidence/verdict.hpp"
#include "core/units/limits.hpp"

namespace kernelgate::cli::cmd_compare {
namespace {

struct Flags {
  local::CompareRequest request;
  std::vector<std::string> sessions;
  std::string against = "pairs", stored = "warn";
  std::string rule = "pairs", format = "table", time = "real";
  bool all = false;
  std::string manifest;
};

// The manifest's policy; what a flag says beside it counts.
Status take_manifest(Flags& flags, const CLI::App& command) {
  auto policy = local::policy_of_manifest(flags.manifest);
  if (!policy) return pass_on(policy);
  Policy& given = flags.request.policy;
  if (command.count("--tolerate") > 0) policy->tolerate = given.tolerate;
  if (command.count("--catch") > 0) policy->catch_limit = given.catch_limit;
  if (command.count("--rule") == 0) flags.rule = to_string(policy->rule);
  if (command.count("--stored") == 0) flags.stored = to_string(policy->stored);
  given = std::move(*policy);
  return {};
}

std::vector<std::filesystem::path> split(const std::string& session) {
  std::vector<std::filesystem::path> out;
  std::istringstream names(session);
  for (std::string name; std::getline(names, name, ',');) out.emplace_back(name);
  return out;
}

int compare(Flags& flags) {
  flags.request.policy.against = *parse_against(flags.against);
  flags.request.policy.stored = *parse_on_finding(flags.stored);
  for (const std::string& session : flags.sessions) flags.request.sessions.push_back(split(session));
  flags.request.policy.rule = *parse_rule(flags.rule);
  flags.request.time = flags.time == "cpu" ? TimeSource::cpu : TimeSource::real;
  const Result<RunDecision> decision = local::compare_files(flags.request);
  if (!decision) {
    (void)complain(decision.error());
    return kExitBadInput;  // there is no run: whatever is wrong with the files is the caller's
  }
  report::Report report;
  report.decision = *decision;
  report.policy = flags.request.policy;
  report.live = live_stop(*decision, report.policy, static_cast<int>(flags.request.base.size()));
  report::TableStyle style = report::style_of(stdout);
  style.all = flags.all;
  std::fputs(report::render(report, *report::parse_format(flags.format), style).c_str(), stdout);
  return exit_code(decision->conclusion);
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command =
      app.add_subcommand("compare", "Judge recorded results: files of Google Benchmark, NVBench or pytest-benchmark");
  command->add_option("--base", flags->request.base, "Results of base, one file a process");
  command->add_option("--head", flags->request.head, "Results of head, paired with base in the order given")
      ->required();
  command->add_option("--tolerate", flags->request.policy.tolerate, "A true shift up to this fraction is noise")
      ->capture_default_str();
  command->add_option("--catch", flags->request.policy.catch_limit, "A true shift from this fraction on is caught")
      ->capture_default_str();
  command->add_option("--rule", flags->rule, "pairs or mwu_cliff")
      ->check(CLI::IsMember({"pairs", "mwu_cliff"}))
      ->capture_default_str();
  command->add_option("--against", flags->against, "pairs, or stored: head alone against recorded sessions")
      ->check(CLI::IsMember({"pairs", "stored"}))
      ->capture_default_str();
  command->add_option("--session", flags->sessions, "FILE,FILE: the processes of one stored session; once for each");
  command->add_option("--stored", flags->stored, "A slowdown against stored sessions: warn (suspected) or fail")
      ->check(CLI::IsMember({"warn", "fail"}))
      ->capture_default_str();
  command->add_option("--time", flags->time, "real or cpu; manual time counts as real")
      ->check(CLI::IsMember({"real", "cpu"}))
      ->capture_default_str();
  command->add_option("--drop-first", flags->request.drop_first, "Repetitions to ignore at the start of each process")
      ->check(whole_number(0, limits::kSamplesPerSeriesMax))
      ->capture_default_str();
  command->add_flag("--blocks-prove", flags->request.blocks_prove,
                    "Files that say they were not recorded in turn may prove a change");
  command->add_flag("--all", flags->all, "Every row of a long table, not only what moved");
  command->add_option("--format", flags->format, "table, json or markdown")
      ->check(CLI::IsMember({"table", "json", "markdown"}))
      ->capture_default_str();
  command->add_option("--manifest", flags->manifest, "A kernelgate.toml: its policy, overrides and workloads");
  command->callback([flags, command, &exit_code] {
    const Status taken = flags->manifest.empty() ? Status() : take_manifest(*flags, *command);
    if (!taken) (void)complain(taken.error());
    exit_code = taken ? compare(*flags) : kExitBadInput;
  });
}

}  // namespace kernelgate::cli::cmd_compare

// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "commands/commands.hpp"
#include "commands/duel/duel.hpp"
#include "commands/numbers.hpp"
#include "commands/output/report.hpp"
#include "commands/progress_line.hpp"
#include "core/decision/evidence/verdict.hpp"
#include "core/units/limits.hpp"
#include "platform/process/stop_signals.hpp"

namespace kernelgate::cli::cmd_duel {
namespace {

struct Flags {
  local::DuelRequest request;
  std::string suite_format, format = "table", time = "real";
  std::int64_t timeout_s = limits::kSuiteTimeoutDefault.count();
  bool all = false;
};

int run(Flags& flags) {
  local::DuelRequest& request = flags.request;
  request.folder = std::filesystem::current_path();
  request.format = parse_suite_format(flags.suite_format);
  request.time = flags.time == "cpu" ? TimeSource::cpu : TimeSource::real;
  request.timeout = std::chrono::seconds(flags.timeout_s);
  const StopSignals signals;
  Result<local::DuelOutcome> outcome;
  {
    ProgressLine line(stderr);
    outcome = local::duel(
        request, [&line](const std::string& text) { line.show(text); }, signals.token());
  }
  if (!outcome) {
    const int code = complain(outcome.error());
    return signals.token().stop_requested() ? exit_code(Conclusion::infrastructure) : code;
  }
  const report::Report page{.title = request.new_command + " against " + request.old_command,
                            .decision = outcome->decision,
                            .gpu_s = outcome->gpu_s,
                            .wall_s = outcome->wall_s,
                            .policy = request.policy};
  report::TableStyle style = report::style_of(stdout);
  style.all = flags.all;
  std::fputs(report::render(page, *report::parse_format(flags.format), style).c_str(), stdout);
  if (!outcome->check_log.empty()) std::fprintf(stderr, "%s\n", outcome->check_log.c_str());
  if (outcome->stopped) {
    std::fputs("kernelgate: stopped before the rule was done: the table judges what was measured until then\n", stderr);
    return exit_code(Conclusion::infrastructure);
  }
  return exit_code(outcome->decision.conclusion);
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  local::DuelRequest& request = flags->request;
  auto* command = app.add_subcommand("duel", "Time two programs in turn and judge the second: no git, no manifest");
  command->footer(
      "Examples:\n"
      "  kernelgate duel build-main/gemm_bench build-mine/gemm_bench\n"
      "  kernelgate duel --check './gemm_check' old/gemm_bench new/gemm_bench -- --device=0");
  command->add_option("OLD", request.old_command, "The program to compare with: an executable, or a line for the shell")
      ->required();
  command->add_option("NEW", request.new_command, "The program to judge")->required();
  command->add_option("ARGUMENTS", request.arguments, "Of both programs; behind '--' where they begin with a dash");
  command->add_option("--check", request.check,
                      "A line for the shell that fails where NEW is wrong: then nothing is timed");
  command->add_option("--suite-format", flags->suite_format, "Of both programs (default: found out by asking them)")
      ->check(CLI::IsMember({"google-benchmark", "nvbench", "pytest-benchmark", "samples"}));
  command->add_option("--filter", request.filter, "Only benchmarks that this regular expression matches");
  command->add_option("--tolerate", request.policy.tolerate, "A true shift up to this fraction is noise")
      ->capture_default_str();
  command->add_option("--catch", request.policy.catch_limit, "A true shift from this fraction on is caught")
      ->capture_default_str();
  command->add_option("--max-pairs", request.policy.max_pairs, "Pairs of processes at most")
      ->check(whole_number(2, limits::kPairsMax))
      ->capture_default_str();
  command->add_option("--time", flags->time, "real or cpu; manual time counts as real")
      ->check(CLI::IsMember({"real", "cpu"}))
      ->capture_default_str();
  command->add_option("--timeout", flags->timeout_s, "Seconds that one process, or the check, may take")
      ->check(whole_number(1, limits::kSuiteTimeoutMax.count()))
      ->capture_default_str();
  command->add_option("--cpus", request.cpus, "Pin both to these processors, such as 2,3")->delimiter(',');
  command->add_option("--gpu", request.gpu, "Number of the GPU to measure on, as the driver counts them (default: 0)")
      ->check(whole_number(0, limits::kDeviceNumberMax));
  command->add_option("--probe-dir", request.probe_folder, "Folder of kg_probe_health (default: beside this program)");
  command->add_flag("--all", flags->all, "Every row of a long table, not only what moved");
  command->add_option("--format", flags->format, "table, json or markdown")
      ->check(CLI::IsMember({"table", "json", "markdown"}))
      ->capture_default_str();
  command->callback([flags, &exit_code] { exit_code = run(*flags); });
}

}  // namespace kernelgate::cli::cmd_duel

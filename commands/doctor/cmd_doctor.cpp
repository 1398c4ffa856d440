// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdio>
#include <memory>
#include <string>

#include "commands/calibrate/calibrate.hpp"
#include "commands/commands.hpp"
#include "commands/doctor/doctor.hpp"
#include "commands/folder_flag.hpp"
#include "commands/numbers.hpp"
#include "commands/progress_line.hpp"
#include "commands/version.hpp"
#include "core/units/limits.hpp"
#include "platform/process/stop_signals.hpp"

namespace kernelgate::cli::cmd_doctor {
namespace {

struct Flags {
  std::string manifest;
  std::string repo = ".";
  std::string probe_folder;
  int gpu = 0;
  std::string format = "table";
  bool calibrate = false;
  local::CalibrateOptions calibration;
  local::CalibrationServer server;
};

int run_calibration(Flags& flags) {
  local::CalibrateOptions& options = flags.calibration;
  options.run.repository = flags.repo;
  options.run.manifest = flags.manifest;
  options.run.gpu = flags.gpu;
  options.run.probe_folder = flags.probe_folder;
  options.run.program = version_line();
  const bool sent = !flags.server.url.empty();
  if (const Status known = sent ? local::check_server(flags.server) : Status(); !known) return complain(known.error());
  const StopSignals signals;
  Result<local::Calibrated> found;
  {
    ProgressLine line(stderr);
    found = local::calibrate(
        options, [&line](const std::string& text) { line.show(text); }, signals.token());
  }
  if (!found) return complain(found.error());
  const Status done = sent ? local::send(flags.server, *found) : Status();
  const std::string text =
      flags.format == "json" ? local::to_json(*found) : local::to_table(*found, report::style_of(stdout));
  std::fputs(text.c_str(), stdout);
  return done ? 0 : complain(done.error());
}

int run_doctor(const Flags& flags) {
  doctor::Request request;
  if (!flags.manifest.empty()) request.manifest = flags.manifest;
  request.repo = flags.repo;
  request.probe_folder = flags.probe_folder;
  request.gpu = flags.gpu;
  const Result<doctor::Diagnosis> diagnosis = doctor::examine(request);
  if (!diagnosis) return complain(diagnosis.error());
  const std::string text =
      flags.format == "json" ? doctor::to_json(*diagnosis) : doctor::to_table(*diagnosis, report::style_of(stdout));
  std::fputs(text.c_str(), stdout);
  return doctor::exit_code(*diagnosis);
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("doctor", "Validate a manifest; show what a runner here could do");
  command->add_option("--manifest", flags->manifest, "manifest outside the tree (default: kernelgate.toml of --repo)");
  add_folder_flag(*command, flags->repo);
  command->add_option("--gpu", flags->gpu, "number of the GPU to try, as the driver counts them (default: 0)")
      ->check(whole_number(0, limits::kDeviceNumberMax));
  command->add_option("--probe-dir", flags->probe_folder, "folder of kg_probe_health (default: beside this program)");
  command->add_option("--format", flags->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  auto& run = flags->calibration.run;
  auto* calibrate = command->add_flag("--calibrate", flags->calibrate,
                                      "Measure what the rule is worth here: false alarms, noise, known slowdowns");
  command->add_option("--suite", run.suite, "Calibrate only this suite")->needs(calibrate);
  command->add_option("--filter", run.filter, "Only benchmarks that this regular expression matches")->needs(calibrate);
  command->add_option("--pairs", flags->calibration.pairs, "Pairs of each benchmark")
      ->needs(calibrate)
      ->check(whole_number(2, limits::kPairsMax))
      ->capture_default_str();
  auto* inject = command
                     ->add_option("--inject", flags->calibration.slowdowns,
                                  "Slowdowns to inject into kernelgate's own suite, as fractions")
                     ->needs(calibrate)
                     ->delimiter(',')
                     ->capture_default_str();
  command
      ->add_flag_callback(
          "--no-inject", [flags] { flags->calibration.slowdowns.clear(); },
          "Only the repository's suites against themselves")
      ->needs(calibrate)
      ->excludes(inject);
  command->add_option("--gpu-seconds", flags->calibration.gpu_seconds, "Budget of each part, in measured seconds")
      ->needs(calibrate)
      ->capture_default_str();
  command->add_option("--db", run.database, "Where it is kept (default: the local store)")->needs(calibrate);
  auto& server = flags->server;
  auto* url = command->add_option("--server", server.url, "Send it to this server too")->needs(calibrate);
  auto* token = command->add_option("--token-file", server.token_file, "File with a token of role runner")->needs(url);
  auto* name =
      command->add_option("--registered", server.repository, "The repository's name on the server")->needs(url);
  url->needs(token)->needs(name);
  command->add_option("--testbed", server.testbed, "This machine's name there, as of its runner (default: the host's)")
      ->needs(url);
  command->add_option("--cpus", run.cpus, "Pin suites to these processors, such as 2,3")
      ->needs(calibrate)
      ->delimiter(',');
  command->add_flag("--no-sandbox", run.no_sandbox, "Suites run with all rights of this user")->needs(calibrate);
  command->callback(
      [flags, &exit_code] { exit_code = flags->calibrate ? run_calibration(*flags) : run_doctor(*flags); });
}

}  // namespace kernelgate::cli::cmd_doctor

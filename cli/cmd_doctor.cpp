// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdio>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "local/doctor/doctor.hpp"

namespace kernelgate::cli {
namespace {

struct Flags {
  std::string manifest;
  std::string repo = ".";
  std::string probe_folder;
  int gpu = 0;
  std::string format = "table";
};

int run_doctor(const Flags& flags) {
  doctor::Request request;
  if (!flags.manifest.empty()) request.manifest = flags.manifest;
  request.repo = flags.repo;
  request.probe_folder = flags.probe_folder;
  request.gpu = flags.gpu;
  const Result<doctor::Diagnosis> diagnosis = doctor::examine(request);
  if (!diagnosis) return complain(diagnosis.error());
  const std::string text = flags.format == "json" ? doctor::to_json(*diagnosis)
                                                  : doctor::to_table(*diagnosis, report::style_of(stdout));
  std::fputs(text.c_str(), stdout);
  return doctor::exit_code(*diagnosis);
}

}  // namespace

void add_doctor(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("doctor", "Validate a manifest; show what a runner here could do");
  command->add_option("--manifest", flags->manifest, "manifest outside the tree (default: kernelgate.toml of --repo)");
  command->add_option("--repo", flags->repo, "repository to look at")->capture_default_str();
  command->add_option("--gpu", flags->gpu, "number of the card to try, as the driver counts them (default: 0)")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--probe-dir", flags->probe_folder, "folder of kg_probe_health (default: beside this program)");
  command->add_option("--format", flags->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  command->callback([flags, &exit_code] { exit_code = run_doctor(*flags); });
}

}  // namespace kernelgate::cli

// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>

#include "commands/commands.hpp"
#include "commands/version.hpp"
#include "server/app/run_server.hpp"

namespace kernelgate::cli::cmd_server {
namespace {

int serve(ServerOptions& options) {
  options.program = version_line();
  const Status done = run_server(options, [](const RunningServer& server) {
    std::printf("kernelgate server: %s\n", server.url.c_str());
    std::fflush(stdout);
  });
  return done ? 0 : complain(done.error());
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ServerOptions>();
  CLI::App* command = app.add_subcommand("server", "Keep the store and answer hooks, runners and people");
  command->add_option("--listen", options->listen, "ADDRESS:PORT; port 0 lets the system choose")
      ->capture_default_str();
  command->add_option("--data", options->data_dir, "Folder of the server's own; one server each")->required();
  command->add_option("--db", options->database, "The store; kernelgate.sqlite in the data folder if not given");
  command->add_flag("--public-read", options->public_read, "Reading needs no token");
  command->add_flag("--open-metrics", options->open_metrics, "/metrics needs no token");
  command
      ->add_option("--host", options->hosts,
                   "A name that requests may ask for, beside localhost, the address and the host of --public-url")
      ->take_all();
  command->add_option("--public-url", options->public_url, "How people reach the server, for links");
  command->add_option("--config", options->config, "TOML file: GitHub, GitLab and others who are told of runs");
  command->add_option("--port-file", options->port_file, "Write the port here once it listens");
  command->add_option("--admin-token-file", options->admin_token_file,
                      "Write a first admin token here (mode 0600) where the store has none");
  command->add_option("--assets", options->assets, "Serve the dashboard from this folder (dashboards/dist), read anew")
      ->check(CLI::ExistingDirectory);
  command
      ->add_option_function<int>(
          "--lease-seconds", [options](int s) { options->lease = std::chrono::seconds(s); },
          "A runner not heard of for so long loses its job (default: 90)")
      ->check(CLI::Range(3, 3600));
  command
      ->add_option("--keep-samples-days", options->keep_samples_days,
                   "Thin the raw samples of runs older than this to quantiles (default: keep them)")
      ->check(CLI::Range(1, 36500));
  command->add_flag("!--no-access-log", options->access_log, "Do not log each request");
  command->footer("There is no TLS here: beyond this machine, put a reverse proxy with TLS before the server.");
  command->callback([options, &exit_code] { exit_code = serve(*options); });
}

}  // namespace kernelgate::cli::cmd_server

// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdio>
#include <memory>

#include "cli/commands.hpp"
#include "cli/numbers.hpp"
#include "local/bundle/export.hpp"

namespace kernelgate::cli {
namespace {

int export_bundle(const bundle::ExportRequest& request) {
  const auto done = bundle::export_run(request);
  if (!done) return complain(done.error());
  std::printf("%s: run %lld, %llu bytes, sha256 %s\n", request.output.c_str(), static_cast<long long>(done->run),
              static_cast<unsigned long long>(done->bytes), done->sha256.c_str());
  return 0;
}

}  // namespace

void add_export(CLI::App& app, int& exit_code) {
  auto request = std::make_shared<bundle::ExportRequest>();
  auto* command = app.add_subcommand("export", "Write a finished run as a bundle that can be replayed");
  command->add_option("--run", request->run, "The run's number")->required()->check(whole_number(1));
  auto* database = command->add_option("--db,--database", request->database,
                                       "The store (default: the local one of --repo)");
  command->add_option("--repo", request->repository, "The repository whose local store is read")->capture_default_str();
  auto* server = command->add_option("--server", request->server, "URL of a server to ask instead")->excludes(database);
  command->add_option("--token-file", request->token_file, "File with the token, mode 0600")->needs(server);
  command->add_option("--output", request->output, "The bundle; must not exist")->required();
  command->callback([request, &exit_code] { exit_code = export_bundle(*request); });
}

}  // namespace kernelgate::cli

// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Error.hpp>
#include <CLI/Formatter.hpp>

#include <cstdio>
#include <memory>

#include "commands/baseline/baseline.hpp"
#include "commands/bundle/export.hpp"
#include "commands/commands.hpp"
#include "commands/folder_flag.hpp"
#include "commands/numbers.hpp"
#include "commands/version.hpp"

namespace kernelgate::cli::cmd_export {
namespace {

int export_bundle(const bundle::ExportRequest& request) {
  const auto done = bundle::export_run(request);
  if (!done) return complain(done.error());
  std::printf("%s: run %lld, %llu bytes, sha256 %s\n", request.output.c_str(), static_cast<long long>(done->run),
              static_cast<unsigned long long>(done->bytes), done->sha256.c_str());
  return 0;
}

struct BaselineFlags {
  std::string file, name, repository;
};

int export_baselines(const bundle::ExportRequest& request, const BaselineFlags& flags) {
  const auto baselines = local::Baselines::open({.server = request.server,
                                                 .token_file = request.token_file,
                                                 .repository = flags.repository,
                                                 .folder = request.repository,
                                                 .program = version_line(),
                                                 .database = request.database});
  if (!baselines) return complain(baselines.error());
  const auto text = (*baselines)->export_text(flags.name);
  if (!text) return complain(text.error());
  if (const Status written = local::write_baseline_file(flags.file, *text); !written) return complain(written.error());
  std::printf("%s: %zu bytes\n", flags.file.c_str(), text->size());
  return 0;
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto request = std::make_shared<bundle::ExportRequest>();
  auto* command =
      app.add_subcommand("export", "Write a finished run as a bundle that can be replayed, or baselines as a file");
  auto flags = std::make_shared<BaselineFlags>();
  auto* run = command->add_option("--run", request->run, "The run's number")->check(whole_number(1));
  auto* baselines =
      command->add_option("--baselines", flags->file, "Instead: write the present baselines into this file");
  command->add_option("--name", flags->name, "Only the baseline of this name")->needs(baselines);
  command->add_option("--repository", flags->repository, "Its name on the server or in the store of --db")
      ->needs(baselines);
  auto* database = command->add_option("--db", request->database, "The store (default: the local one of --repo)");
  add_folder_flag(*command, request->repository);
  auto* server = command->add_option("--server", request->server, "URL of a server to ask instead")->excludes(database);
  command->add_option("--token-file", request->token_file, "File with the token, mode 0600")->needs(server);
  auto* output = command->add_option("-o,--output", request->output, "The bundle; must not exist")->excludes(baselines);
  run->needs(output);
  output->needs(run);
  command->callback([request, flags, run, baselines, &exit_code] {
    if (run->empty() == baselines->empty()) throw CLI::RequiredError("--run or --baselines");
    exit_code = baselines->empty() ? export_bundle(*request) : export_baselines(*request, *flags);
  });
}

}  // namespace kernelgate::cli::cmd_export

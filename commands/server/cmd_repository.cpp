// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "client/client.hpp"
#include "client/token_file.hpp"
#include "commands/commands.hpp"
#include "commands/target_flags.hpp"

namespace kernelgate::cli::cmd_repository {
namespace {

struct Flags {
  std::string server, token_file, manifest_file;
  wire::RepositoryRequest repository{.name = {}, .url = {}, .default_branch = "main", .manifest = {}};
};

Result<std::string> read_manifest(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) return fail(Errc::not_found, "cannot read the manifest", file);
  return text;
}

Result<Client> connect(const Flags& flags) {
  return open_client({.server = flags.server, .retry_for = std::chrono::seconds(10)}, flags.token_file);
}

Status register_repository(Flags& flags) {
  if (!flags.manifest_file.empty()) {
    auto text = read_manifest(flags.manifest_file);
    if (!text) return pass_on(text);
    flags.repository.manifest = std::move(*text);
  }
  auto client = connect(flags);
  if (!client) return pass_on(client);
  const auto added = client->add_repository(flags.repository);
  if (!added) return pass_on(added);
  std::printf("%s: %s\n", added->name.c_str(), added->url.c_str());
  return {};
}

Status make_secret(const Flags& flags) {
  auto client = connect(flags);
  if (!client) return pass_on(client);
  const auto made = client->new_webhook_secret(flags.repository.name);
  if (!made) return pass_on(made);
  std::printf("path: %s\nsecret: %s\n", made->path.c_str(), made->secret.c_str());
  return {};
}

Status replace_manifest(const Flags& flags) {
  const auto text = read_manifest(flags.manifest_file);
  if (!text) return pass_on(text);
  auto client = connect(flags);
  if (!client) return pass_on(client);
  return client->put_manifest(flags.repository.name, *text);
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("repository", "Register repositories and manifests with a server");
  command->require_subcommand(1);
  CLI::App* add = command->add_subcommand("add", "Watch a repository");
  CLI::App* manifest = command->add_subcommand("manifest", "Register a manifest that wins over the tree's own");
  CLI::App* secret =
      command->add_subcommand("webhook-secret", "Make a new secret for its webhooks; the old one counts for an hour");
  for (CLI::App* one : {add, manifest, secret}) {
    add_server_flags(*one, flags->server, flags->token_file, "admin");
    one->add_option("--name", flags->repository.name, "The repository's name on the server")->required();
  }
  add->add_option("--url", flags->repository.url, "What runners fetch from: URL or absolute path")->required();
  add->add_option("--full-name", flags->repository.full_name,
                  "owner/name at GitHub or GitLab, where the URL does not say it");
  add->add_option("--default-branch", flags->repository.default_branch, "Its default branch")->capture_default_str();
  add->add_option("--manifest", flags->manifest_file, "A kernelgate.toml that wins over the tree's own");
  manifest->add_option("--manifest", flags->manifest_file, "The kernelgate.toml; an empty file removes it")->required();
  const auto done = [&exit_code](const Status& status) { exit_code = status ? 0 : complain(status.error()); };
  add->callback([flags, done] { done(register_repository(*flags)); });
  secret->callback([flags, done] { done(make_secret(*flags)); });
  manifest->callback([flags, done] { done(replace_manifest(*flags)); });
}

}  // namespace kernelgate::cli::cmd_repository

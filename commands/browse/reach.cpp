// SPDX-License-Identifier: Apache-2.0
#include "commands/browse/reach.hpp"

#include "client/token_file.hpp"
#include "platform/git/git.hpp"

namespace kernelgate::browse {

Result<Client> connect(const Target& target) {
  const ClientOptions options{.server = target.server, .retry_for = std::chrono::seconds(5)};
  return target.token_file.empty() ? Client::create(options) : open_client(options, target.token_file);
}

Result<service::OpenStore> open_store(const Target& target) {
  std::filesystem::path file = target.database;
  if (file.empty()) {
    const auto git = Git::open(target.repo, GitConfig::users);
    if (!git) return pass_on(git);
    file = git->git_dir() / "kernelgate" / "local.db";
  }
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    return fail(Errc::not_found, "there is no store", file.string(),
                "kernelgate run makes one here; name another with --database, or a --server");
  return service::OpenStore::open(file);
}

}  // namespace kernelgate::browse

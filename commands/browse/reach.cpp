// SPDX-License-Identifier: Apache-2.0
#include "commands/browse/reach.hpp"

#include "client/token_file.hpp"
#include "commands/run/run.hpp"

namespace kernelgate::browse {
namespace {

Result<std::filesystem::path> store_of(const Target& target) {
  if (!target.database.empty()) return target.database;
  return local::local_store(target.repo);
}

}  // namespace

Result<Client> connect(const Target& target) {
  const ClientOptions options{.server = target.server, .retry_for = std::chrono::seconds(5)};
  return target.token_file.empty() ? Client::create(options) : open_client(options, target.token_file);
}

Result<service::OpenStore> open_store(const Target& target) {
  const auto file = store_of(target);
  if (!file) return pass_on(file);
  std::error_code ignored;
  if (!std::filesystem::exists(*file, ignored))
    return fail(Errc::not_found, "there is no store", file->string(),
                "kernelgate run makes one here; name another with --db, or a --server");
  return service::OpenStore::open(*file);
}

bool has_store(const Target& target) {
  const auto file = store_of(target);
  std::error_code ignored;
  return file && std::filesystem::exists(*file, ignored);
}

}  // namespace kernelgate::browse

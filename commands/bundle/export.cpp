// SPDX-License-Identifier: Apache-2.0
#include "commands/bundle/export.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "client/client.hpp"
#include "client/token_file.hpp"
#include "core/units/digest.hpp"
#include "platform/git/git.hpp"
#include "service/runs/queries.hpp"

namespace kernelgate::bundle {
namespace {

namespace fs = std::filesystem;

Result<std::string> from_server(const ExportRequest& request) {
  const ClientOptions options{.server = request.server, .retry_for = std::chrono::seconds(10)};
  auto client = request.token_file.empty() ? Client::create(options) : open_client(options, request.token_file);
  if (!client) return pass_on(client);
  return client->bundle(request.run);
}

Result<std::string> from_store(const ExportRequest& request) {
  fs::path file = request.database;
  if (file.empty()) {
    const auto git = Git::open(request.repository, GitConfig::users);
    if (!git) return pass_on(git);
    file = git->git_dir() / "kernelgate" / "local.db";
  }
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return fail(Errc::not_found, "there is no store", file.string());
  const auto store = service::OpenStore::open(file);
  if (!store) return pass_on(store);
  auto made = service::bundle_of(*store, RunId{request.run});
  if (!made) return pass_on(made);
  return std::move(made->bytes);
}

// Whole or not at all; never over a file that is there.
Status write_new(const fs::path& file, const std::string& bytes) {
  const auto complain = [&](const std::string& what) {
    return fail(Errc::io, what + ": " + std::strerror(errno), file.string());
  };
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (descriptor < 0 && errno == EEXIST)
    return fail(Errc::conflict, "exists already", file.string(), "name a new file");
  if (descriptor < 0) return fail(Errc::invalid, std::string("cannot be made: ") + std::strerror(errno), file.string());
  std::size_t at = 0;
  while (at < bytes.size()) {
    const ssize_t put = write(descriptor, bytes.data() + at, bytes.size() - at);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      const auto failed = complain("cannot be written");
      close(descriptor);
      unlink(file.c_str());
      return failed;
    }
    at += static_cast<std::size_t>(put);
  }
  if (close(descriptor) != 0) return complain("cannot be written");
  return {};
}

}  // namespace

Result<Exported> export_run(const ExportRequest& request) {
  auto bytes = request.server.empty() ? from_store(request) : from_server(request);
  if (!bytes) return pass_on(bytes);
  const auto bundle = service::unpack_bundle(*bytes);  // what cannot be replayed here is not written
  if (!bundle) return pass_on(bundle);
  if (const Status written = write_new(request.output, *bytes); !written) return pass_on(written);
  return Exported{.run = bundle->run.id, .bytes = bytes->size(), .sha256 = sha256_hex(*bytes)};
}

}  // namespace kernelgate::bundle

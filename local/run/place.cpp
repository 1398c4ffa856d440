// SPDX-License-Identifier: Apache-2.0
#include "local/run/place.hpp"

#include <unistd.h>

#include "core/units/time.hpp"
#include "db/repositories.hpp"

namespace kernelgate::local {
namespace {

std::string host_name() {
  char name[256] = "";
  return gethostname(name, sizeof name - 1) == 0 ? name : "local";
}

}  // namespace

Result<std::unique_ptr<LocalPlace>> open_place(const Git& git, const RunOptions& options, const RunProgress& progress,
                                               std::stop_token stop) {
  auto machine = read_machine_facts(host_name(), options.gpu);
  auto sandbox = Sandbox::open({.none = options.no_sandbox, .env = machine.environment});
  if (!sandbox) return pass_on(sandbox);
  const std::filesystem::path folder = git.git_dir() / "kernelgate";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return fail(Errc::io, error.message(), folder.string());
  auto builds = BuildCache::open({.root = folder / "builds", .testbed = machine.testbed.toolkit}, *sandbox);
  if (!builds) return pass_on(builds);
  auto mirrors = MirrorPool::open(folder / "mirrors");
  if (!mirrors) return pass_on(mirrors);
  auto database = db::Database::open(options.database.empty() ? folder / "local.db" : options.database);
  if (!database) return pass_on(database);
  // Two that measure at once would disturb each other; what the first proves may answer the second.
  const auto lock_file = folder / "run.lock";
  auto alone = FileLock::try_acquire(lock_file, LockKind::exclusive);
  if (!alone) {
    progress("waiting for another run in this repository");
    auto waited = FileLock::acquire(lock_file, LockKind::exclusive, std::move(stop));
    if (!waited) return pass_on(waited);
    alone = std::move(*waited);
  }
  return std::make_unique<LocalPlace>(LocalPlace{.machine = std::move(machine),
                                                 .sandbox = std::move(*sandbox),
                                                 .builds = std::move(*builds),
                                                 .mirrors = std::move(*mirrors),
                                                 .database = std::move(*database),
                                                 .alone = std::move(*alone)});
}

Result<RepositoryId> local_repository(db::Connection& connection, const Git& git) {
  const auto known = db::get_repository(connection, kRepositoryName);
  if (known) return known->id;
  return db::add_repository(connection, {.name = kRepositoryName, .url = git.git_dir().string(), .manifest = {}},
                            SystemClock().now());
}

}  // namespace kernelgate::local

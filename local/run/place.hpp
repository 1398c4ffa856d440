// SPDX-License-Identifier: Apache-2.0
#pragma once

// What measuring on this machine for one repository takes: sandbox, build cache, mirrors, store, and the lock that
// keeps two from measuring at once. Private to local.

#include <filesystem>
#include <memory>
#include <stop_token>

#include "db/database.hpp"
#include "local/run/run.hpp"
#include "runner/build/build_cache.hpp"
#include "runner/git/git.hpp"
#include "runner/git/mirror.hpp"
#include "runner/process/file_lock.hpp"
#include "runner/sandbox/sandbox.hpp"
#include "runner/testbed/testbed.hpp"

namespace kernelgate::local {

inline constexpr const char* kRepositoryName = "local";  // in the local store

struct LocalPlace {
  MachineFacts machine;
  Sandbox sandbox;
  BuildCache builds;
  MirrorPool mirrors;
  std::unique_ptr<db::Database> database;
  FileLock alone;
};

// Waits for another measurement in this repository to end.
[[nodiscard]] Result<std::unique_ptr<LocalPlace>> open_place(const Git& git, const RunOptions& options,
                                                             const RunProgress& progress, std::stop_token stop);

// The repository's row in its local store, made on first sight. Call inside a Database work.
[[nodiscard]] Result<RepositoryId> local_repository(db::Connection& connection, const Git& git);

}  // namespace kernelgate::local

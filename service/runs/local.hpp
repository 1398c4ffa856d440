// SPDX-License-Identifier: Apache-2.0
#pragma once

// The beginning of a run that the process which makes it also measures: no queue, no lease. From here on it goes the
// way of every run (service/runs/work.hpp, finish.hpp).

#include <optional>
#include <string>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "core/wire/messages.hpp"
#include "db/baselines/sessions.hpp"
#include "db/runs/runs.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

// A repository of a local store, made on first sight; its default branch is kept up to date.
struct LocalRepository {
  std::string name, url, default_branch;
};
[[nodiscard]] Result<RepositoryId> enter_repository(db::Connection& connection, const LocalRepository& repository,
                                                    Instant now);

struct SweepPoint {
  std::string suite, point;   // "BLOCK_M=64 STAGES=2"
  bool is_reference = false;  // the point that others are compared with
};

// A session of a baseline: head alone is timed, and no verdict is reused.
using db::kSessionSource;

struct LocalRun {
  LocalRepository repository;
  wire::TestbedFacts testbed;
  std::string commit{}, branch{}, source{};
  wire::BaseRequest base{};
  std::uint64_t seed = 0;
  bool force = false;                 // measure although the verdict is known, and trust no earlier verdict of base
  std::optional<SweepPoint> point{};  // of a sweep: judged by its pairs alone
};
struct BegunRun {
  RunId run;
  std::vector<StoredVariance> stored;
  std::vector<StoredSessions> sessions;
  std::vector<std::string> baselines, bad_commits;
};
[[nodiscard]] Result<BegunRun> begin_local(Store store, const LocalRun& wanted, Instant now);

}  // namespace kernelgate::service

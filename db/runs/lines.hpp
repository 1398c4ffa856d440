// SPDX-License-Identifier: Apache-2.0
#pragma once

// The runs of one branch or pull request, in which one push comes after another. Call inside a Database work.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/runs/runs.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

// SQL of a run `r`: its head is on its branch. A push that was refused is not, unless a later run was measured against
// it.
inline constexpr std::string_view kHeadIsOnBranch =
    " (r.source <> 'pre-push' OR r.exit_code IS NOT 1 OR EXISTS (SELECT 1 FROM runs n WHERE n.base_id = r.head_id "
    "AND n.id > r.id AND n.branch = r.branch AND n.trust = 'trusted')) ";

// Where one push comes after another: a branch of the watched repository, a pull request, or both. Of a branch, only
// what the forge itself asked for is meant: hooks and people ask for each commit on purpose.
struct Line {
  RepositoryId repository;
  std::string branch{};  // empty: head lives in a fork, whose branches are not ours
  std::optional<std::int64_t> pull_request{};
};

[[nodiscard]] std::vector<Run> unfinished_on(Connection& connection, const Line& line);  // oldest first

// The newest run on the line that the forge saw pushed after `pushed_at`: whoever asks is late.
[[nodiscard]] std::optional<RunId> newer_on(Connection& connection, const Line& line, Instant pushed_at);

// It was cancelled for the newer one.
void set_superseded(Connection& connection, RunId older, RunId newer);

// An unfinished run of that commit and base which is nobody's pull request, or this one's, and is not of a fork.
[[nodiscard]] std::optional<RunId> unfinished_twin(Connection& connection, RepositoryId repository,
                                                   std::string_view commit, const wire::BaseRequest& base,
                                                   std::optional<std::int64_t> pull_request);
// A run that came from a push learns its pull request. conflict: it is finished.
[[nodiscard]] Status set_pull_request(Connection& connection, RunId id, const wire::PullRequest& pull_request);

}  // namespace kernelgate::db

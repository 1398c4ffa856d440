// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is known of the commits that runs speak of. A commit is learnt in pieces: the trigger knows
// its hash and subject, the runner later its tree and parents; an empty field never overwrites a
// known one.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/store/connection.hpp"

namespace kernelgate::db {

struct CommitFacts {
  std::string hash{};
  std::string tree{}, subject{}, author{};  // may be empty: not yet known
  std::vector<std::string> parents{};       // may be empty: not yet known, or a root
};

struct Commit {
  CommitId id;
  RepositoryId repository;
  CommitFacts facts;
};

CommitId put_commit(Connection& connection, RepositoryId repository, const CommitFacts& facts);
[[nodiscard]] std::optional<Commit> find_commit(Connection& connection, RepositoryId repository, std::string_view hash);

// Hashes of commits whose latest finished run as head concluded broken or build_failed, newest
// first: no base for anybody. At most `limit`.
[[nodiscard]] std::vector<std::string> bad_commits(Connection& connection, RepositoryId repository, int limit = 500);

}  // namespace kernelgate::db

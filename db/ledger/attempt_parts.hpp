// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to db/: the pieces that reading and writing the ledger share.

#include <string>
#include <vector>

#include "db/ledger/attempts.hpp"

namespace kernelgate::db {

// Attempts of the same repository (by its address: a store may know it under several names) that are like this one.
[[nodiscard]] std::vector<wire::AlikeAttempt> alike_attempts(Connection& connection, AttemptId id);

// "case class value" of a stored fingerprint, which begins with a hash.
[[nodiscard]] std::string failure_text(const std::string& fingerprint);

// The attempt of a finished or unfinished run, whatever its branch; made where there is none.
[[nodiscard]] AttemptId force_attempt(Connection& connection, RunId run, Instant now);

struct NewAttempt {
  RepositoryId repository;
  std::string kind{}, key{}, branch{}, commit{}, subject{}, suite{}, point{}, hypothesis{};
};

// One that nobody has tried yet.
[[nodiscard]] AttemptId add_attempt(Connection& connection, const NewAttempt& one, Instant now);
[[nodiscard]] std::optional<AttemptId> find_attempt(Connection& connection, RepositoryId repository,
                                                    const std::string& key);

}  // namespace kernelgate::db

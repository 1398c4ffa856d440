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

}  // namespace kernelgate::db

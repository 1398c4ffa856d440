// SPDX-License-Identifier: Apache-2.0
#pragma once

// The difference between two commits, or two baselines, from what is stored: pairs of one run where the two were timed
// in turn, else sessions of one epoch; never figures of different epochs. Call inside a Database work.

#include <string>

#include "core/wire/upkeep.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::service {

// What a name, a commit or at least 7 digits of one mean. not_found: nothing; invalid: more than one commit.
[[nodiscard]] Result<wire::DiffSide> find_diff_side(db::Connection& connection, RepositoryId repository,
                                                    const std::string& asked);

[[nodiscard]] Result<wire::BaselineDiff> diff_baselines(db::Connection& connection, RepositoryId repository,
                                                        const std::string& a, const std::string& b);

}  // namespace kernelgate::service

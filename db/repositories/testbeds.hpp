// SPDX-License-Identifier: Apache-2.0
#pragma once

// Testbeds and their epochs. An epoch is a span of one testbed's history in which no fact changed:
// going back to earlier facts begins a new one.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/wire/messages.hpp"
#include "db/store/connection.hpp"
#include "db/store/page.hpp"

namespace kernelgate::db {

struct Epoch {
  EpochId id;
  TestbedId testbed;
  wire::TestbedFacts facts;
  std::string facts_sha256;
  Instant since;
};

// The hash under which facts are compared; the testbed's name is part of it.
[[nodiscard]] std::string facts_hash(const wire::TestbedFacts& facts);

// The testbed's present epoch; begins a new one when the facts differ from those of the last.
EpochId enter_epoch(Connection& connection, const wire::TestbedFacts& facts, Instant now);
// The newest one that had these facts.
[[nodiscard]] std::optional<EpochId> find_epoch(Connection& connection, const wire::TestbedFacts& facts);
[[nodiscard]] bool knows_testbed(Connection& connection, const std::string& name);
// A later one of its testbed has begun.
[[nodiscard]] bool is_over(Connection& connection, EpochId epoch);
[[nodiscard]] Result<Epoch> get_epoch(Connection& connection, EpochId id);
struct EpochRecord {
  Epoch epoch;
  bool over = false;  // a later one of its testbed has begun
};
// Newest first; Page::before is an epoch's id.
[[nodiscard]] std::vector<EpochRecord> list_epochs(Connection& connection, const Page& page = {});
// Of each testbed the last epoch, newest first.
[[nodiscard]] std::vector<Epoch> present_epochs(Connection& connection);
// The present epochs of the testbeds that finished a run of this repository, newest first.
[[nodiscard]] std::vector<EpochId> present_epochs(Connection& connection, RepositoryId repository);

}  // namespace kernelgate::db

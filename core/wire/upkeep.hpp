// SPDX-License-Identifier: Apache-2.0
#pragma once

// Upkeep of a repository's measurements: quarantines. Plain structs; codec.hpp turns them into JSON and back. Instants
// are ISO 8601 texts.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kernelgate::wire {

struct QuarantineRequest {
  std::string repository, suite, benchmark, reason;
};
struct ReleaseRequest {
  std::string repository, reason;
};
struct QuarantineRecord {
  std::int64_t id = 0;
  std::string suite, benchmark;
  std::optional<std::int64_t> epoch;  // where it holds; absent: in every one
  std::string who, reason, began_at;
  std::optional<std::string> released_at;
  std::string released_by, released_reason;
  std::string suggestion;  // not empty: why it may be released
};
struct QuarantinePage {
  std::vector<QuarantineRecord> quarantines;
  std::optional<std::string> next;
};

}  // namespace kernelgate::wire

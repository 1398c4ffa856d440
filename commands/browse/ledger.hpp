// SPDX-License-Identifier: Apache-2.0
#pragma once

// The ledger of attempts and the tuning report, of a server or of a store on this machine. Blocks.

#include <cstdint>
#include <string>
#include <vector>

#include "commands/browse/target.hpp"
#include "commands/output/report.hpp"
#include "core/wire/tuning.hpp"

namespace kernelgate::browse {

struct AttemptsWanted {
  std::string outcome{};  // words separated by commas; "failed": all that do not work
  std::string branch{};   // "attempt/*": those that begin so
  std::string since{};    // a day, an instant in UTC, or how long ago
  std::string suite{}, benchmark{}, text{};
  int limit = 50;
};
// Newest first. Errc::invalid: an unknown outcome, no time.
[[nodiscard]] Result<std::vector<wire::Attempt>> attempts(const Target& target, const AttemptsWanted& wanted);
[[nodiscard]] Result<wire::Attempt> one_attempt(const Target& target, std::int64_t id);
// note.repository may be empty: then the place's, or in a store the run's own.
[[nodiscard]] Result<wire::Attempt> note(const Target& target, wire::AttemptNote note);

struct TuningWanted {
  std::string branch{}, since{};
};
[[nodiscard]] Result<wire::TuningReport> tuning_report(const Target& target, const TuningWanted& wanted);

// As text; foreign words come out harmless. Each ends with a line break.
[[nodiscard]] std::string to_table(const std::vector<wire::Attempt>& attempts, const report::TableStyle& style);
[[nodiscard]] std::string to_markdown(const std::vector<wire::Attempt>& attempts);
// {"schema":1,"attempts":[Attempt …]}
[[nodiscard]] std::string to_json(const std::vector<wire::Attempt>& attempts);
[[nodiscard]] std::string to_text(const wire::Attempt& attempt);

}  // namespace kernelgate::browse

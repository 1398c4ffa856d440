// SPDX-License-Identifier: Apache-2.0
#pragma once

// What became of each step of the scenario: the ledger that the demo prints. Pure.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "commands/demo/scenario.hpp"
#include "commands/output/report.hpp"
#include "core/wire/messages.hpp"

namespace kernelgate::demo {

struct Attempt {
  Step step;
  std::string commit;
  wire::Run run;  // finished
  std::string outcome;
  std::optional<Comparison> shown;  // the comparison that tells most: worst outcome, furthest from 1
  std::string error;                // why, in words; empty where there is a timing
  std::string evidence;             // why a regression is one: device code and counters
  std::string fingerprint;          // of the failure
  int same_failure_as = 0;          // number of the first attempt with a failure of the same fingerprint

  [[nodiscard]] bool as_expected() const;
};

// The first present of build_failed, broken, crashed, timed_out, invalid, regressed, infrastructure, missing,
// suspected, undecided, improved, unchanged, added, identical.
[[nodiscard]] std::string outcome_of(const wire::Run& run);

[[nodiscard]] Attempt make_attempt(const Step& step, wire::Run run, std::span<const Attempt> earlier);

[[nodiscard]] bool all_as_expected(std::span<const Attempt> attempts);

// One line when it falls: " 5 broken     …".
[[nodiscard]] std::string verdict_line(const Attempt& attempt);
[[nodiscard]] std::string to_table(std::span<const Attempt> attempts, const report::TableStyle& style);
// {"schema":1,"attempts":[…]}; docs/CLI.md lists the members.
[[nodiscard]] std::string to_json(std::span<const Attempt> attempts);

}  // namespace kernelgate::demo

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Judges a bundle anew from its raw samples and holds the answer against the decision that was stored. Measures
// nothing and needs no store.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "commands/output/report.hpp"
#include "core/decision/evidence/comparison.hpp"
#include "core/units/result.hpp"
#include "core/wire/report_document.hpp"

namespace kernelgate::bundle {

using wire::Sameness;

struct Replay {
  std::int64_t run = 0;
  std::string title;
  std::string decided_by, replayed_by;  // programs
  int rule_version = 0;
  std::string
      thinned_at{};  // not empty: the samples are quantiles, so tails and modes are not compared with each other
  Sameness same = Sameness::differs;
  std::vector<std::string> differences;
  RunDecision decision;  // as judged now
};

// `program`: this one's version line. Every error is the file's: those of db/runs/bundle_file.hpp, and not_found.
[[nodiscard]] Result<Replay> replay_file(const std::filesystem::path& file, const std::string& program);

// 0: the same. 1: verdicts, looks or figures differ; or the bytes do although the same program decided.
[[nodiscard]] int exit_code(const Replay& replay);

[[nodiscard]] std::string to_table(const Replay& replay, const report::TableStyle& style);
[[nodiscard]] std::string to_json(const Replay& replay);

}  // namespace kernelgate::bundle

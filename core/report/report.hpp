// SPDX-License-Identifier: Apache-2.0
#pragma once

// A decided run as text for people. Pure string functions; the table for terminals and the JSON for programs are
// commands/output. Significance, size and direction are three columns, never one. Foreign names come out harmless
// (text.hpp).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/decision/evidence/comparison.hpp"
#include "core/decision/evidence/cost.hpp"
#include "core/decision/rule/live_stop.hpp"
#include "core/wire/messages.hpp"

namespace kernelgate::report {

struct Report {
  std::string title;  // "run 7 of kernels: 1a2b3c4d5e against 0f9e8d7c6b"; may be empty
  RunDecision decision;
  std::optional<double> gpu_s;  // device time that measuring took
  std::optional<double> wall_s;
  std::optional<RunCost> cost{};   // where more than gpu_s is known
  std::optional<LiveStop> live{};  // of recorded pairs
  Policy policy{};                 // that they were judged by
};

// Of a finished run. One that has not finished has no conclusion yet: that is the caller's to say.
[[nodiscard]] Report report_of(const wire::Run& run);

// Markdown for pull requests; ends with a line break. With more than `rows_most` comparisons, those that moved and a
// count for each family of the others.
[[nodiscard]] std::string to_markdown(const Report& report, std::size_t rows_most = SIZE_MAX);

}  // namespace kernelgate::report

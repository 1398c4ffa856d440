// SPDX-License-Identifier: Apache-2.0
#pragma once

// A decided run as text: a table for terminals, markdown for pull requests, JSON for programs. Pure string functions.
// Significance, size and direction are three columns, never one. Foreign names come out harmless (text.hpp).

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "core/decision/comparison.hpp"
#include "core/decision/cost.hpp"
#include "core/decision/live_stop.hpp"
#include "core/wire/messages.hpp"

namespace kernelgate::report {

enum class Format { table, json, markdown };
[[nodiscard]] std::optional<Format> parse_format(std::string_view text);

struct Report {
  std::string title;              // "run 7 of kernels: 1a2b3c4d5e against 0f9e8d7c6b"; may be empty
  RunDecision decision;
  std::optional<double> gpu_s;    // device time that measuring took
  std::optional<double> wall_s;
  std::optional<RunCost> cost{};  // where more than gpu_s is known
  std::optional<LiveStop> live{};  // of recorded pairs
  Policy policy{};                 // that they were judged by
};

// Of a finished run. One that has not finished has no conclusion yet: that is the caller's to say.
[[nodiscard]] Report report_of(const wire::Run& run);

struct TableStyle {
  std::size_t columns = 100;
  bool colour = false;
  bool all = false;  // every row; else more than kRowsMost give way to those that moved and a count for each family
};
inline constexpr std::size_t kRowsMost = 40;
// Colours where `stream` is a terminal, NO_COLOR is unset or empty and TERM is not "dumb"; 60 to 160 columns.
[[nodiscard]] TableStyle style_of(std::FILE* stream);

// Each ends with a line break.
[[nodiscard]] std::string to_table(const Report& report, const TableStyle& style);
[[nodiscard]] std::string to_markdown(const Report& report);
// {"schema":1,"conclusion":…,"comparisons":[…]}; docs/CLI.md lists the members. Absent figures are null.
[[nodiscard]] std::string to_json(const Report& report);

[[nodiscard]] std::string render(const Report& report, Format format, const TableStyle& style);

}  // namespace kernelgate::report

// SPDX-License-Identifier: Apache-2.0
#pragma once

// A decided run in the form that a caller asks for: a table for terminals, JSON for programs, or the markdown of
// core/report.

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "core/report/report.hpp"

namespace kernelgate::report {

enum class Format { table, json, markdown };
[[nodiscard]] std::optional<Format> parse_format(std::string_view text);

struct TableStyle {
  std::size_t columns = 100;
  bool colour = false;
  bool ascii = false;  // the locale writes no UTF-8
  bool all = false;    // every row; else more than kRowsMost give way to those that moved and a count for each family
};
inline constexpr std::size_t kRowsMost = 40;
// Colours where `stream` is a terminal, NO_COLOR is unset or empty and TERM is not "dumb"; 60 to 160 columns. Plain
// ASCII where the locale of LC_ALL, LC_CTYPE and LANG writes no UTF-8.
[[nodiscard]] TableStyle style_of(std::FILE* stream);

// A finished text in the characters that the reader's terminal knows.
[[nodiscard]] std::string written(std::string text, const TableStyle& style);

// Each ends with a line break.
[[nodiscard]] std::string to_table(const Report& report, const TableStyle& style);
// {"schema":1,"conclusion":…,"comparisons":[…]}; docs/CLI.md lists the members. Absent figures are null.
[[nodiscard]] std::string to_json(const Report& report);

[[nodiscard]] std::string render(const Report& report, Format format, const TableStyle& style);

}  // namespace kernelgate::report

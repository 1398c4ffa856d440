// SPDX-License-Identifier: Apache-2.0
#pragma once

// Text for people: what a terminal, a log or a markdown page may safely show, and how wide it is there. Pure.
// Names of benchmarks and messages of commits are foreign: they may hold escape sequences or broken UTF-8.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kernelgate::report {

// Valid UTF-8 on one line: escape sequences, control characters and direction overrides are removed, line breaks and
// tabs become spaces, broken bytes become U+FFFD.
[[nodiscard]] std::string harmless(std::string_view text);

// Number of characters; what harmless() returns takes about that many columns.
[[nodiscard]] std::size_t width(std::string_view utf8);

// At most `columns` wide: the middle gives way to "…", because names differ at both ends.
[[nodiscard]] std::string shorten(std::string_view utf8, std::size_t columns);

// Padded with spaces on the right (or left).
[[nodiscard]] std::string pad_right(std::string_view utf8, std::size_t columns);
[[nodiscard]] std::string pad_left(std::string_view utf8, std::size_t columns);

// One bar a value, ▁ at 0 to █ at 1.
[[nodiscard]] std::string bars(const std::vector<double>& values);

// Broken between words into lines of at most `columns`; a longer word is shortened.
[[nodiscard]] std::vector<std::string> wrap(std::string_view utf8, std::size_t columns);

// Text within an element or a quoted attribute of HTML or SVG.
[[nodiscard]] std::string escape_html(std::string_view text);

// harmless(), and nothing in it is markup, a mention, an issue reference or a link to GitHub's markdown.
[[nodiscard]] std::string markdown_escape(std::string_view text);

// "12.3 µs": three significant digits in the unit that suits. Not finite or absent values are "–".
[[nodiscard]] std::string duration(double nanoseconds);

}  // namespace kernelgate::report

// SPDX-License-Identifier: Apache-2.0
#pragma once

// HTML made of foreign text: everything is escaped on its way in. Pure.

#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/verdict.hpp"
#include "core/report/text.hpp"
#include "core/units/result.hpp"

namespace kernelgate::api {

using report::escape_html;

// The Content-Security-Policy of pages that load nothing but the style sheet.
constexpr std::string_view kPagePolicy =
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

// A whole page; `body` is HTML already.
[[nodiscard]] std::string html_page(std::string_view title, std::string_view body);

// Where a link leads nowhere: what is wrong with it, and what to do.
[[nodiscard]] std::string html_no_page(const Error& error);

// One row of cells that are HTML already; each carries its column's name for narrow screens.
struct Cell {
  std::string_view column;
  std::string html;
  std::string_view css_class = {};
};
[[nodiscard]] std::string html_row(const std::vector<Cell>& cells);
[[nodiscard]] std::string html_head(const std::vector<std::string_view>& columns);

[[nodiscard]] std::string_view style_sheet();

// good, bad, warn, or empty.
[[nodiscard]] std::string_view css_class(Verdict verdict);
[[nodiscard]] std::string_view css_class(Conclusion conclusion);

}  // namespace kernelgate::api

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Static pictures as SVG 1.1, for other sites' pages: the colours of the dashboard (dashboards/src/style), one font, no
// script, nothing loaded. Pure. Foreign text goes through text_of alone, which leaves neither markup nor control bytes.

#include <optional>
#include <string>
#include <string_view>

namespace kernelgate::plot {

enum class Theme { automatic, light, dark };  // automatic: the reader's, by prefers-color-scheme
[[nodiscard]] std::optional<Theme> parse_theme(std::string_view text);  // auto, light or dark

[[nodiscard]] std::string text_of(std::string_view foreign, std::size_t columns);

// The rules of a theme: the one style element of a picture.
[[nodiscard]] std::string style_of(Theme theme);
// A Content-Security-Policy that allows that element, by its hash, and nothing else.
[[nodiscard]] std::string policy_of(Theme theme);

// A picture of `width` by `height` pixels about `body`; `label` says in words what it shows.
[[nodiscard]] std::string picture(int width, int height, std::string_view label, Theme theme, std::string_view body);

// "+4.12 %", "×2.31"
[[nodiscard]] std::string change_text(double ratio);

}  // namespace kernelgate::plot

// SPDX-License-Identifier: Apache-2.0
#include "server/plot/svg.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/report/text.hpp"
#include "core/units/base64.hpp"
#include "core/units/digest.hpp"

namespace kernelgate::plot {
namespace {

// `{}` is the colour; the values are those of dashboards/src/style/tokens.css and plots.css (plot_test.cpp).
struct Rule {
  std::string_view selector, properties, light, dark;
};
constexpr Rule kRules[] = {
    {".surface", "fill:{}", "#ffffff", "#12161c"},
    {".text", "fill:{}", "#1a1f28", "#e6eaf1"},
    {".dim", "fill:{}", "#596273", "#9aa5b6"},
    {".grid", "stroke:{}", "#e2e5ea", "#29313d"},
    {".strong", "stroke:{}", "#8a92a0", "#6b7789"},
    {".catch", "fill:{}", "#eef0f4", "#1e2530"},
    {".tolerate", "fill:{}", "#d9dee6", "#2d3644"},
    {".faster", "fill:{0};stroke:{0}", "#0a5c9e", "#7cbdff"},
    {".slower", "fill:{0};stroke:{0}", "#b8470a", "#ff8f55"},
    {".broken", "fill:{0};stroke:{0}", "#7d0f62", "#f29ad6"},
    {".unsure", "fill:{0};stroke:{0}", "#524400", "#ecd97f"},
    {".calm", "fill:{0};stroke:{0}", "#5a6577", "#8d98aa"},
    {".line", "stroke:{}", "#0a5c9e", "#7cbdff"},
    {".band", "fill:{};fill-opacity:.2", "#0a5c9e", "#7cbdff"},
};
constexpr std::string_view kShapes =
    "text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;stroke:none!important}"
    ".title{font-weight:600;font-size:14px}.end{text-anchor:end}.middle{text-anchor:middle}"
    ".line{fill:none;stroke-width:1.5}.dashed{stroke-dasharray:5 4}";

std::string rules(std::string_view Rule::*colour) {
  std::string out;
  for (const Rule& rule : kRules) {
    out += rule.selector;
    out += '{' + fmt::format(fmt::runtime(rule.properties), rule.*colour) + '}';
  }
  return out;
}

}  // namespace

std::optional<Theme> parse_theme(std::string_view text) {
  if (text == "auto") return Theme::automatic;
  if (text == "light") return Theme::light;
  if (text == "dark") return Theme::dark;
  return std::nullopt;
}

std::string text_of(std::string_view foreign, std::size_t columns) {
  return report::escape_html(report::shorten(report::harmless(foreign), columns));
}

std::string style_of(Theme theme) {
  std::string out(kShapes);
  out += rules(theme == Theme::dark ? &Rule::dark : &Rule::light);
  if (theme == Theme::automatic) out += "@media (prefers-color-scheme:dark){" + rules(&Rule::dark) + "}";
  return out;
}

std::string policy_of(Theme theme) {
  return "default-src 'none'; style-src 'sha256-" + to_base64(Sha256().raw(style_of(theme)).bytes()) +
         "'; frame-ancestors 'none'";
}

std::string picture(int width, int height, std::string_view label, Theme theme, std::string_view body) {
  const std::string words = text_of(label, 200);
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="img" )"
      R"(aria-label="{2}"><title>{2}</title><style>{3}</style><rect class="surface" width="{0}" height="{1}" rx="6"/>)"
      "{4}</svg>\n",
      width, height, words, style_of(theme), body);
}

std::string change_text(double ratio) {
  if (ratio >= 2 || ratio <= 0.5) return fmt::format("×{:.3g}", ratio);
  const std::string text = fmt::format("{:.2f}", std::abs(ratio - 1) * 100);
  return fmt::format("{}{} %", text == "0.00" ? "±" : ratio < 1 ? "−" : "+", text);
}

}  // namespace kernelgate::plot

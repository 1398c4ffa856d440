// SPDX-License-Identifier: Apache-2.0
#include "commands/output/report.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/report/ascii.hpp"

namespace kernelgate::report {

std::optional<Format> parse_format(std::string_view text) {
  if (text == "table") return Format::table;
  if (text == "json") return Format::json;
  if (text == "markdown") return Format::markdown;
  return std::nullopt;
}

TableStyle style_of(std::FILE* stream) {
  TableStyle style;
  const auto text_of = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string_view(value ? value : "");
  };
  style.ascii = !writes_utf8(text_of("LC_ALL"), text_of("LC_CTYPE"), text_of("LANG"));
  const int file = fileno(stream);
  if (file < 0 || isatty(file) == 0) return style;
  style.colour = text_of("NO_COLOR").empty() && text_of("TERM") != "dumb";
  winsize size{};
  if (ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.columns = std::clamp<std::size_t>(size.ws_col, 60, 160);
  return style;
}

std::string written(std::string text, const TableStyle& style) {
  return style.ascii ? to_ascii(text) : std::move(text);
}

std::string render(const Report& report, Format format, const TableStyle& style) {
  switch (format) {
    case Format::table: return to_table(report, style);
    case Format::json: return to_json(report);
    case Format::markdown: return to_markdown(report);
  }
  return {};
}

}  // namespace kernelgate::report

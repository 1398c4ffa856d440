// SPDX-License-Identifier: Apache-2.0
#include "local/report/report.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace kernelgate::report {

std::optional<Format> parse_format(std::string_view text) {
  if (text == "table") return Format::table;
  if (text == "json") return Format::json;
  if (text == "markdown") return Format::markdown;
  return std::nullopt;
}

Report report_of(const wire::Run& run) {
  Report out;
  out.title = "run " + std::to_string(run.id) + " of " + run.repository + ": " + run.commit.substr(0, 10);
  out.title += run.base_commit.empty() ? ", no base" : " against " + run.base_commit.substr(0, 10);
  if (run.reused_from) out.title += ", judged by run " + std::to_string(*run.reused_from);
  out.decision.conclusion = parse_conclusion(run.conclusion).value_or(Conclusion::infrastructure);
  out.decision.reason = run.reason;
  out.decision.summary = run.summary;
  out.decision.notices = run.notices;
  out.decision.comparisons = run.comparisons;
  out.decision.workloads = run.workloads;
  out.decision.regions = run.regions;
  out.gpu_s = run.gpu_s_used;
  out.wall_s = run.wall_s;
  return out;
}

TableStyle style_of(std::FILE* stream) {
  TableStyle style;
  const int file = fileno(stream);
  if (file < 0 || isatty(file) == 0) return style;
  const auto text_of = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string_view(value ? value : "");
  };
  style.colour = text_of("NO_COLOR").empty() && text_of("TERM") != "dumb";
  winsize size{};
  if (ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.columns = std::clamp<std::size_t>(size.ws_col, 60, 160);
  return style;
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

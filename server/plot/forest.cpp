// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/report/cells.hpp"
#include "server/plot/axis.hpp"
#include "server/plot/plots.hpp"

namespace kernelgate::plot {
namespace {

constexpr int kWidth = 860, kTop = 78, kRow = 22;
constexpr int kPlotLeft = 330, kPlotWidth = 290, kWordsLeft = 632;

std::string_view tone_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::regressed: return "slower";
    case Verdict::improved: return "faster";
    case Verdict::broken:
    case Verdict::crashed:
    case Verdict::timed_out:
    case Verdict::invalid: return "broken";
    case Verdict::undecided:
    case Verdict::suspected:
    case Verdict::missing: return "unsure";
    case Verdict::unchanged:
    case Verdict::added:
    case Verdict::identical: break;
  }
  return "calm";
}

bool is_drawn(const Comparison& one) { return one.ratio && *one.ratio > 0 && std::isfinite(*one.ratio); }

// The axis in pixels of this picture.
struct ForestScale {
  ChangeAxis axis{};
  [[nodiscard]] double x(double ratio) const { return kPlotLeft + kPlotWidth * place_of(axis, ratio); }
};

ForestScale forest_scale(const std::vector<Comparison>& rows) {
  std::vector<double> ratios;
  double catch_limit = 0;
  for (const Comparison& one : rows) {
    if (catch_limit == 0) catch_limit = one.catch_limit;
    if (!is_drawn(one)) continue;
    for (const auto& ratio : {one.ratio, one.ratio_low, one.ratio_high})
      if (ratio) ratios.push_back(*ratio);
  }
  return {axis_of(ratios, catch_limit)};
}

void ticks(std::string& out, const ForestScale& scale, int bottom) {
  for (const double ratio : ticks_of(scale.axis))
    out += fmt::format(R"(<line class="{0}" x1="{1:.1f}" x2="{1:.1f}" y1="{2}" y2="{3}"/>)"
                       R"(<text class="dim middle" x="{1:.1f}" y="{4}">{5}</text>)",
                       ratio == 1 ? "strong" : "grid", scale.x(ratio), kTop, bottom, kTop - 8, tick_text(ratio));
}

void bands(std::string& out, const ForestScale& scale, const Comparison& one, int y) {
  for (const auto& [name, limit] : {std::pair("catch", one.catch_limit), std::pair("tolerate", one.tolerate)}) {
    if (!(limit > 0)) continue;
    const double left = scale.x(1 / (1 + limit));
    out += fmt::format(R"(<rect class="{}" x="{:.1f}" y="{}" width="{:.1f}" height="{}"/>)", name, left, y,
                       scale.x(1 + limit) - left, kRow);
  }
}

void row(std::string& out, const ForestScale& scale, const Comparison& one, int y) {
  const std::string_view tone = tone_of(one.verdict);
  const int middle = y + kRow / 2, line = middle + 4;
  std::string words = report::verdict_cell(one);
  if (is_drawn(one)) {
    if (one.ratio_low && one.ratio_high && *one.ratio_low > 0)
      out += fmt::format(R"(<line class="{}" x1="{:.1f}" x2="{:.1f}" y1="{}" y2="{}" stroke-width="2"/>)", tone,
                         scale.x(*one.ratio_low), scale.x(*one.ratio_high), middle, middle);
    out += fmt::format(R"(<circle class="{}" cx="{:.1f}" cy="{}" r="4"/>)", tone, scale.x(*one.ratio), middle);
    words = change_text(*one.ratio) + " " + words;
  }
  out += fmt::format(R"(<text class="text" x="16" y="{}">{}</text><text class="{}" x="{}" y="{}">{}</text>)", line,
                     text_of(one.suite + "/" + one.benchmark, 46), tone, kWordsLeft, line, text_of(words, 34));
}

}  // namespace

std::string forest(const wire::Run& run, Theme theme) {
  std::vector<Comparison> rows = report::in_reading_order(run.comparisons);
  const std::size_t all = rows.size();
  if (rows.size() > kForestRowsShown) rows.resize(kForestRowsShown);
  const ForestScale scale = forest_scale(rows);
  const int bottom = kTop + kRow * static_cast<int>(rows.size());
  const std::string_view outcome = run.conclusion ? to_string(*run.conclusion) : to_string(run.state);
  const std::string head = fmt::format("{}: {} {}", run.repository, run.commit.substr(0, 10), outcome);
  std::string body = fmt::format(R"(<text class="text title" x="16" y="26">{}</text>)", text_of(head, 90));
  const std::string against = run.base_commit.empty() ? "" : "against " + run.base_commit.substr(0, 10);
  body += fmt::format(
      R"(<text class="dim" x="16" y="46">{}</text>)",
      text_of(fmt::format("run {} {} {}", run.id, against, run.testbed.empty() ? "" : "on " + run.testbed), 110));
  for (std::size_t i = 0; i < rows.size(); ++i) bands(body, scale, rows[i], kTop + kRow * static_cast<int>(i));
  if (!rows.empty()) ticks(body, scale, bottom);
  for (std::size_t i = 0; i < rows.size(); ++i) row(body, scale, rows[i], kTop + kRow * static_cast<int>(i));
  const std::string rest = rows.empty()        ? "no benchmark was compared"
                           : all > rows.size() ? fmt::format("and {} more", all - rows.size())
                                               : fmt::format("{} benchmark{}", all, all == 1 ? "" : "s");
  body += fmt::format(R"(<text class="dim" x="16" y="{}">{}</text>)", bottom + 20, rest);
  const std::string label = head + ": " + (rows.empty() ? rest : report::counts_of(run.comparisons));
  return picture(kWidth, bottom + 34, label, theme, body);
}

}  // namespace kernelgate::plot

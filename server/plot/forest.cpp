// SPDX-License-Identifier: Apache-2.0
// The same axis as dashboards/src/ui/forest.tsx: linear about no change, logarithmic further out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/report/cells.hpp"
#include "server/plot/plots.hpp"

namespace kernelgate::plot {
namespace {

constexpr int kWidth = 860, kTop = 78, kRow = 22;
constexpr int kPlotLeft = 330, kPlotWidth = 290, kWordsLeft = 632;
constexpr double kReachMost = 20;  // a ratio; what is further lies at the axis' end

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

struct Axis {
  double reach = 0.06, bend = 0.03;  // of the log ratio
  [[nodiscard]] double x(double ratio) const {
    const double at = std::asinh(std::log(ratio) / bend) / std::asinh(reach / bend);
    return kPlotLeft + kPlotWidth * (0.5 + std::clamp(at, -1.0, 1.0) / 2);
  }
};

Axis axis_of(const std::vector<Comparison>& rows) {
  Axis out;
  if (!rows.empty() && rows.front().catch_limit > 0) out.bend = std::log1p(rows.front().catch_limit);
  out.reach = 2 * out.bend;
  for (const Comparison& one : rows) {
    if (!is_drawn(one)) continue;
    for (const double ratio : {one.ratio_low.value_or(*one.ratio), *one.ratio, one.ratio_high.value_or(*one.ratio)})
      if (ratio > 0) out.reach = std::max(out.reach, std::abs(std::log(ratio)) * 1.1);
  }
  out.reach = std::min(out.reach, std::log(kReachMost));
  return out;
}

void tick(std::string& out, const Axis& axis, double ratio, int bottom) {
  const double up = std::max(ratio, 1 / ratio);
  const char* const sign = ratio > 1 ? "+" : "−";
  const std::string text = ratio == 1 ? "0"
                           : up < 2   ? fmt::format("{}{:.0f} %", sign, (up - 1) * 100)
                                      : fmt::format("{}{:.0f}", ratio > 1 ? "×" : "÷", up);
  out += fmt::format(R"(<line class="{0}" x1="{1:.1f}" x2="{1:.1f}" y1="{2}" y2="{3}"/>)"
                     R"(<text class="dim middle" x="{1:.1f}" y="{4}">{5}</text>)",
                     ratio == 1 ? "strong" : "grid", axis.x(ratio), kTop, bottom, kTop - 8, text);
}

void ticks(std::string& out, const Axis& axis, int bottom) {
  tick(out, axis, 1, bottom);
  double last = axis.x(1);
  for (const double ratio : {1.01, 1.03, 1.1, 1.3, 2.0, 5.0}) {
    if (std::log(ratio) >= axis.reach || axis.x(ratio) - last < 34) continue;
    last = axis.x(ratio);
    tick(out, axis, ratio, bottom);
    tick(out, axis, 1 / ratio, bottom);
  }
}

void bands(std::string& out, const Axis& axis, const Comparison& one, int y) {
  for (const auto& [name, limit] : {std::pair("catch", one.catch_limit), std::pair("tolerate", one.tolerate)}) {
    if (!(limit > 0)) continue;
    const double left = axis.x(1 / (1 + limit));
    out += fmt::format(R"(<rect class="{}" x="{:.1f}" y="{}" width="{:.1f}" height="{}"/>)", name, left, y,
                       axis.x(1 + limit) - left, kRow);
  }
}

void row(std::string& out, const Axis& axis, const Comparison& one, int y) {
  const std::string_view tone = tone_of(one.verdict);
  const int middle = y + kRow / 2, line = middle + 4;
  std::string words = report::verdict_cell(one);
  if (is_drawn(one)) {
    if (one.ratio_low && one.ratio_high && *one.ratio_low > 0)
      out += fmt::format(R"(<line class="{}" x1="{:.1f}" x2="{:.1f}" y1="{}" y2="{}" stroke-width="2"/>)", tone,
                         axis.x(*one.ratio_low), axis.x(*one.ratio_high), middle, middle);
    out += fmt::format(R"(<circle class="{}" cx="{:.1f}" cy="{}" r="4"/>)", tone, axis.x(*one.ratio), middle);
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
  const Axis axis = axis_of(rows);
  const int bottom = kTop + kRow * static_cast<int>(rows.size());
  const std::string outcome = run.conclusion.empty() ? run.state : run.conclusion;
  const std::string head = fmt::format("{}: {} {}", run.repository, run.commit.substr(0, 10), outcome);
  std::string body = fmt::format(R"(<text class="text title" x="16" y="26">{}</text>)", text_of(head, 90));
  const std::string against = run.base_commit.empty() ? "" : "against " + run.base_commit.substr(0, 10);
  body += fmt::format(
      R"(<text class="dim" x="16" y="46">{}</text>)",
      text_of(fmt::format("run {} {} {}", run.id, against, run.testbed.empty() ? "" : "on " + run.testbed), 110));
  for (std::size_t i = 0; i < rows.size(); ++i) bands(body, axis, rows[i], kTop + kRow * static_cast<int>(i));
  if (!rows.empty()) ticks(body, axis, bottom);
  for (std::size_t i = 0; i < rows.size(); ++i) row(body, axis, rows[i], kTop + kRow * static_cast<int>(i));
  const std::string rest = rows.empty()        ? "no benchmark was compared"
                           : all > rows.size() ? fmt::format("and {} more", all - rows.size())
                                               : fmt::format("{} benchmark{}", all, all == 1 ? "" : "s");
  body += fmt::format(R"(<text class="dim" x="16" y="{}">{}</text>)", bottom + 20, rest);
  const std::string label = head + ": " + (rows.empty() ? rest : report::counts_of(run.comparisons));
  return picture(kWidth, bottom + 34, label, theme, body);
}

}  // namespace kernelgate::plot

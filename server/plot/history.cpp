// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/report/text.hpp"
#include "server/plot/plots.hpp"

namespace kernelgate::plot {
namespace {

constexpr int kHistoryWidth = 860, kHeight = 300;
constexpr double kLeft = 84, kRight = 840, kChartTop = 64, kBottom = 268;
constexpr int kColumns = 378;              // one for two pixels, however many points there are
constexpr std::size_t kChangesNamed = 12;  // the newest so many are named

struct Column {
  double x = 0, middle = 0, low = 0, high = 0;
  int count = 0;
};

struct Scale {
  double low = 0, high = 1;
  std::size_t points = 0;
  [[nodiscard]] double y(double ns) const { return kBottom - (kBottom - kChartTop) * (ns - low) / (high - low); }
  [[nodiscard]] double x(double at) const {
    return points < 2 ? (kLeft + kRight) / 2 : kLeft + (kRight - kLeft) * at / static_cast<double>(points - 1);
  }
};

// Per column the mean, the lowest low and the highest high, as the page draws it.
std::vector<Column> columns_of(const std::vector<wire::HistoryPoint>& points, const Scale& scale) {
  std::vector<Column> out;
  const std::size_t each = (points.size() + kColumns - 1) / kColumns;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double low = points[i].median_ns - points[i].spread_ns / 2;
    const double high = points[i].median_ns + points[i].spread_ns / 2;
    if (i % each == 0) out.push_back({.x = scale.x(static_cast<double>(i)), .low = low, .high = high});
    Column& column = out.back();
    column.low = std::min(column.low, low);
    column.high = std::max(column.high, high);
    column.middle += (points[i].median_ns - column.middle) / ++column.count;
  }
  return out;
}

Scale scale_of(const wire::BenchmarkHistory& history) {
  Scale out{.low = std::numeric_limits<double>::infinity(), .high = 0, .points = history.points.size()};
  for (const wire::HistoryPoint& point : history.points) {
    out.low = std::min(out.low, point.median_ns - point.spread_ns / 2);
    out.high = std::max(out.high, point.median_ns + point.spread_ns / 2);
  }
  if (history.anchor) {
    out.low = std::min(out.low, history.anchor->median_ns);
    out.high = std::max(out.high, history.anchor->median_ns);
  }
  const double margin = std::max((out.high - out.low) * 0.12, out.high * 0.004);
  out.low -= margin;
  out.high += margin;
  return out;
}

// Three to six round values: 1, 2 or 5 times a power of ten apart.
void grid(std::string& out, const Scale& scale) {
  const double rough = (scale.high - scale.low) / 5, power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : rough / power < 7.5 ? 5 : 10);
  for (double value = std::ceil(scale.low / step) * step; value <= scale.high; value += step)
    out += fmt::format(R"(<line class="grid" x1="{0}" x2="{1}" y1="{2:.1f}" y2="{2:.1f}"/>)"
                       R"(<text class="dim end" x="{3}" y="{4:.1f}">{5}</text>)",
                       kLeft, kRight, scale.y(value), kLeft - 8, scale.y(value) + 4, report::duration(value));
}

void curve(std::string& out, const Scale& scale, const std::vector<Column>& columns) {
  std::string upper, lower, middle;
  for (const Column& column : columns) {
    upper += fmt::format("{:.1f},{:.1f} ", column.x, scale.y(column.high));
    middle += fmt::format("{:.1f},{:.1f} ", column.x, scale.y(column.middle));
  }
  for (auto column = columns.rbegin(); column != columns.rend(); ++column)
    lower += fmt::format("{:.1f},{:.1f} ", column->x, scale.y(column->low));
  if (columns.size() == 1)
    out += fmt::format(R"(<circle class="calm" cx="{:.1f}" cy="{:.1f}" r="4"/>)", columns[0].x,
                       scale.y(columns[0].middle));
  out +=
      fmt::format(R"(<polygon class="band" points="{}{}"/><polyline class="line" points="{}"/>)", upper, lower, middle);
}

void changes(std::string& out, const Scale& scale, const wire::BenchmarkHistory& history) {
  const std::size_t from = history.changes.size() - std::min(history.changes.size(), kChangesNamed);
  double free_from = kLeft;  // words do not overlap: a change without room for them has its line alone
  for (std::size_t i = from; i < history.changes.size(); ++i) {
    const wire::HistoryChange& change = history.changes[i];
    const auto found = std::find_if(history.points.begin(), history.points.end(),
                                    [&](const auto& point) { return point.commit == change.commit_after; });
    if (found == history.points.end()) continue;
    const double x = scale.x(static_cast<double>(found - history.points.begin()));
    const char* const tone = change.ratio > 1 ? "slower" : "faster";
    out += fmt::format(R"(<line class="{0} dashed" x1="{1:.1f}" x2="{1:.1f}" y1="{2}" y2="{3}"/>)", tone, x, kChartTop,
                       kBottom);
    if (x < free_from || x > kRight - 50) continue;
    free_from = x + 62;
    out += fmt::format(R"(<text class="{}" x="{:.1f}" y="{}">{}</text>)", tone, x + 4, kChartTop + 12,
                       change_text(change.ratio));
  }
}

void anchor(std::string& out, const Scale& scale, const wire::HistoryAnchor& held) {
  const double y = scale.y(held.median_ns);
  out += fmt::format(R"(<line class="strong dashed" x1="{0}" x2="{1}" y1="{2:.1f}" y2="{2:.1f}"/>)"
                     R"(<text class="dim end" x="{1}" y="{3:.1f}">{4}</text>)",
                     kLeft, kRight, y, y - 4, text_of(held.name, 40));
}

void ends(std::string& out, const std::vector<wire::HistoryPoint>& points) {
  const auto words = [](const wire::HistoryPoint& point) {
    return text_of(point.commit.substr(0, 10) + " " + to_iso8601(point.finished_at).substr(0, 10), 40);
  };
  out += fmt::format(R"(<text class="dim" x="{}" y="{}">{}</text>)", kLeft, kBottom + 18, words(points.front()));
  if (points.size() > 1)
    out += fmt::format(R"(<text class="dim end" x="{}" y="{}">{}</text>)", kRight, kBottom + 18, words(points.back()));
}

}  // namespace

std::string history(const wire::BenchmarkHistory& history, Theme theme) {
  const std::string name = history.suite + "/" + history.benchmark;
  std::string body = fmt::format(R"(<text class="text title" x="16" y="26">{}</text>)", text_of(name, 100));
  std::string words =
      fmt::format("{}{}, {} commit{}", history.repository, history.branch.empty() ? "" : ", branch " + history.branch,
                  history.points.size(), history.points.size() == 1 ? "" : "s");
  if (!history.points.empty()) words += ", newest " + report::duration(history.points.back().median_ns);
  if (history.creep)
    words += fmt::format(", creeping by {} over {} commits", change_text(history.creep->ratio), history.creep->commits);
  body += fmt::format(R"(<text class="dim" x="16" y="46">{}</text>)", text_of(words, 120));
  if (history.points.empty()) {
    body += R"(<text class="dim middle" x="430" y="150">not measured yet</text>)";
    return picture(kHistoryWidth, kHeight, name + ": not measured yet", theme, body);
  }
  const Scale scale = scale_of(history);
  grid(body, scale);
  curve(body, scale, columns_of(history.points, scale));
  changes(body, scale, history);
  if (history.anchor) anchor(body, scale, *history.anchor);
  ends(body, history.points);
  return picture(kHistoryWidth, kHeight, name + ": " + words, theme, body);
}

}  // namespace kernelgate::plot

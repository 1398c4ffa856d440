// SPDX-License-Identifier: Apache-2.0
#include "server/plot/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kernelgate::plot {
namespace {

constexpr double kBendDefault = 0.03;  // where nothing was judged, so that no policy says
constexpr double kReachEnd = 20;       // a ratio; what is further lies at the axis' end
// Of the axis: no label meets the next one, the middle or the end at 180 px.
constexpr double kTicksApart = 0.16, kTickFromMiddle = 0.13, kTickLast = 0.97;

}  // namespace

ChangeAxis axis_of(std::span<const double> ratios, double catch_limit) {
  const double bend = std::log1p(catch_limit > 0 ? catch_limit : kBendDefault);
  ChangeAxis out{.reach = 2 * bend, .bend = bend};
  for (const double ratio : ratios)
    if (ratio > 0 && std::isfinite(ratio)) out.reach = std::max(out.reach, std::abs(std::log(ratio)) * 1.1);
  out.reach = std::min(out.reach, std::log(kReachEnd));
  return out;
}

double place_of(const ChangeAxis& axis, double ratio) {
  const double at = std::asinh(std::log(ratio) / axis.bend) / std::asinh(axis.reach / axis.bend);
  return std::clamp(0.5 + at / 2, 0.0, 1.0);
}

std::vector<double> ticks_of(const ChangeAxis& axis) {
  std::vector<double> slower;
  for (const double ratio : {1.01, 1.03, 1.1, 1.3, 2.0, 5.0, 20.0}) {
    const double at = place_of(axis, ratio);
    const bool free = slower.empty() ? at - 0.5 > kTickFromMiddle : at - place_of(axis, slower.back()) > kTicksApart;
    if (std::log(ratio) < axis.reach && at < kTickLast && free) slower.push_back(ratio);
  }
  std::vector<double> out;
  for (auto ratio = slower.rbegin(); ratio != slower.rend(); ++ratio) out.push_back(1 / *ratio);
  out.push_back(1);
  out.insert(out.end(), slower.begin(), slower.end());
  return out;
}

std::string tick_text(double ratio) {
  if (ratio == 1) return "0";
  const double up = std::max(ratio, 1 / ratio);
  if (up < 2) return fmt::format("{}{:.0f}%", ratio > 1 ? "+" : "−", (up - 1) * 100);
  return fmt::format("{}{:.0f}", ratio > 1 ? "×" : "÷", up);
}

}  // namespace kernelgate::plot

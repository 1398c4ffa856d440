// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <regex>

#include "server/plot/plots.hpp"

namespace kernelgate::plot {
namespace plot_test {

using ::testing::HasSubstr;
using ::testing::Not;

// Every element is closed in order, attributes are quoted, no control byte: an XML reader would take it.
void expect_well_formed(const std::string& svg) {
  for (const char c : svg) ASSERT_TRUE(static_cast<unsigned char>(c) >= ' ' || c == '\n') << static_cast<int>(c);
  static const std::regex tag(R"re(<(/?)([a-z]+)((?: [a-zA-Z0-9-]+="[^"<>]*")*)(/?)>)re");
  std::vector<std::string> open;
  std::string outside;
  std::size_t last = 0;
  for (auto at = std::sregex_iterator(svg.begin(), svg.end(), tag); at != std::sregex_iterator(); ++at) {
    outside += svg.substr(last, static_cast<std::size_t>(at->position()) - last);
    last = static_cast<std::size_t>(at->position() + at->length());
    if ((*at)[4].length() > 0) continue;
    if ((*at)[1].length() == 0) {
      open.push_back((*at)[2]);
    } else {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), (*at)[2].str());
      open.pop_back();
    }
  }
  EXPECT_TRUE(open.empty());
  EXPECT_THAT(outside, Not(HasSubstr("<")));
}

constexpr const char* kMalicious = "a\"/><script>alert(1)</script>\x1b[31m\x01\xff</title>\xe2\x80\xae' onload='x";

wire::Run run_of(std::size_t benchmarks) {
  wire::Run run;
  run.id = 7;
  run.repository = "kernels";
  run.commit = std::string(40, 'a');
  run.base_commit = std::string(40, 'b');
  run.testbed = "h100";
  run.conclusion = Conclusion::regressed;
  for (std::size_t i = 0; i < benchmarks; ++i) {
    Comparison one;
    one.suite = "gemm";
    one.benchmark = "gemm/" + std::to_string(i);
    one.verdict = i == benchmarks - 1 ? Verdict::regressed : Verdict::unchanged;
    one.ratio = i == benchmarks - 1 ? 1.0412 : 1.001;
    one.ratio_low = *one.ratio - 0.004;
    one.ratio_high = *one.ratio + 0.004;
    one.tolerate = 0.01;
    one.catch_limit = 0.03;
    run.comparisons.push_back(one);
  }
  return run;
}

wire::BenchmarkHistory history_of(int points) {
  wire::BenchmarkHistory out;
  out.repository = "kernels";
  out.suite = "gemm";
  out.benchmark = "gemm/64";
  out.branch = "main";
  for (int i = 0; i < points; ++i)
    out.points.push_back({.run = i + 1,
                          .commit = "c" + std::to_string(i),
                          .finished_at = *parse_iso8601("2026-11-21T10:00:00.000Z"),
                          .median_ns = 12000 + 100 * std::sin(i),
                          .spread_ns = 40,
                          .processes = 4,
                          .verdict = Verdict::unchanged});
  return out;
}

wire::HistoryAnchor anchor_of(const char* name, double median_ns) {
  wire::HistoryAnchor out;
  out.name = name;
  out.median_ns = median_ns;
  return out;
}

TEST(Plot, ARunShowsWhatMovedFirstWithItsIntervalAndWords) {
  const std::string svg = forest(run_of(3), Theme::automatic);
  expect_well_formed(svg);
  EXPECT_THAT(svg, HasSubstr("kernels: aaaaaaaaaa regressed"));
  EXPECT_THAT(svg, HasSubstr("+4.12 % regressed"));
  EXPECT_LT(svg.find(">gemm/gemm/2<"), svg.find(">gemm/gemm/0<"));
  EXPECT_THAT(svg, HasSubstr("3 benchmarks"));
  EXPECT_THAT(svg, HasSubstr("aria-label=\"kernels: aaaaaaaaaa regressed: 1 regressed, 2 unchanged\""));
}

TEST(Plot, LargeRunsAreCutAndSaySo) {
  const std::string svg = forest(run_of(500), Theme::light);
  expect_well_formed(svg);
  EXPECT_THAT(svg, HasSubstr("and 460 more"));
  EXPECT_LT(svg.size(), 40000U);
}

TEST(Plot, RunsWithoutFiguresAreDrawnToo) {
  expect_well_formed(forest(wire::Run{}, Theme::dark));
  wire::Run run = run_of(2);
  run.comparisons[0].ratio = run.comparisons[0].ratio_low = std::nullopt;
  run.comparisons[0].verdict = Verdict::crashed;
  run.comparisons[1].ratio = 1e9;
  run.comparisons[1].ratio_low = 0;
  const std::string svg = forest(run, Theme::dark);
  expect_well_formed(svg);
  EXPECT_THAT(svg, HasSubstr("crashed"));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(Plot, AHistoryHasAColumnForTwoPixelsAtMost) {
  for (const int points : {0, 1, 2, 377, 10000}) {
    const std::string svg = history(history_of(points), Theme::automatic);
    expect_well_formed(svg);
    EXPECT_LT(svg.size(), 30000U) << points;
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
  }
  EXPECT_THAT(history(history_of(0), Theme::light), HasSubstr("not measured yet"));
}

TEST(Plot, AHistoryNamesChangesAndItsAnchor) {
  wire::BenchmarkHistory shown = history_of(100);
  shown.changes.push_back({.commit_before = "c49",
                           .commit_after = "c50",
                           .run_before = 50,
                           .run_after = 51,
                           .ratio = 0.9,
                           .p = 0,
                           .points_before = 50,
                           .points_after = 50});
  shown.anchor = anchor_of("release-1", 13000);
  const std::string svg = history(shown, Theme::light);
  expect_well_formed(svg);
  EXPECT_THAT(svg, HasSubstr("−10.00 %"));
  EXPECT_THAT(svg, HasSubstr("release-1"));
}

TEST(Plot, ForeignTextIsTextAlone) {
  wire::Run run = run_of(2);
  run.repository = run.testbed = run.comparisons[0].suite = run.comparisons[0].benchmark = kMalicious;
  wire::BenchmarkHistory shown = history_of(5);
  shown.repository = shown.suite = shown.benchmark = shown.branch = kMalicious;
  shown.points.front().commit = kMalicious;
  shown.anchor = anchor_of(kMalicious, 12000);
  for (const std::string& svg : {forest(run, Theme::automatic), history(shown, Theme::automatic)}) {
    expect_well_formed(svg);
    EXPECT_THAT(svg, Not(HasSubstr("<script")));
    EXPECT_THAT(svg, Not(HasSubstr("\xe2\x80\xae")));  // right-to-left override
    EXPECT_THAT(svg, Not(HasSubstr("' onload")));
    EXPECT_THAT(svg, HasSubstr("&lt;script&gt;"));
  }
}

// The themes are the dashboard's: each colour stands in its style sheets.
TEST(Plot, ColoursAreThoseOfThePages) {
  std::string sheets;
  for (const char* name : {"/tokens.css", "/plots.css"}) {
    std::ifstream in(std::string(KG_DASHBOARD_STYLE) + name);
    sheets.append(std::istreambuf_iterator<char>(in), {});
  }
  ASSERT_FALSE(sheets.empty());
  const std::string style = style_of(Theme::automatic);
  const std::regex colour("#[0-9a-f]{6}");
  int count = 0;
  for (auto at = std::sregex_iterator(style.begin(), style.end(), colour); at != std::sregex_iterator(); ++at, ++count)
    EXPECT_THAT(sheets, HasSubstr(at->str()));
  EXPECT_GT(count, 20);
  EXPECT_THAT(style, HasSubstr("prefers-color-scheme:dark"));
  EXPECT_THAT(style_of(Theme::dark), Not(HasSubstr("@media")));
  EXPECT_NE(style_of(Theme::dark), style_of(Theme::light));
}

TEST(Plot, ThePolicyAllowsItsOwnStyleByHash) {
  for (const Theme theme : {Theme::automatic, Theme::light, Theme::dark}) {
    const std::string policy = policy_of(theme);
    EXPECT_TRUE(std::regex_match(
        policy, std::regex("default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; frame-ancestors 'none'")))
        << policy;
  }
  EXPECT_EQ(parse_theme("auto"), Theme::automatic);
  EXPECT_EQ(parse_theme("dark"), Theme::dark);
  EXPECT_FALSE(parse_theme("Dark"));
}

}  // namespace plot_test
}  // namespace kernelgate::plot

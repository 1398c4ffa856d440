// SPDX-License-Identifier: Apache-2.0
#include "commands/output/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/report/text.hpp"

namespace kernelgate::report {
namespace report_test {

using testing::HasSubstr;
using testing::Not;

Comparison timed(std::string name, Verdict verdict, double ratio, double low, double high) {
  Comparison c;
  c.suite = "bsr_gemm";
  c.benchmark = std::move(name);
  c.verdict = verdict;
  c.severity = verdict == Verdict::regressed ? Severity::full : Severity::none;
  c.ratio = ratio;
  c.ratio_low = low;
  c.ratio_high = high;
  c.mwu_p = 0.0286;
  c.q_value = 0.00021;
  c.cliffs_delta = 1.0;
  c.pairs = 4;
  c.base_median_ns = 12340;
  c.head_median_ns = 12340 * ratio;
  c.reason = "proven slower than the tolerated 1 %";
  return c;
}

Report sample() {
  Report out;
  out.title = "run 7 of kernels: 1a2b3c4d5e against 0f9e8d7c6b";
  out.decision.conclusion = Conclusion::regressed;
  out.decision.summary = "1 of 3 benchmarks regressed";
  out.decision.notices = {"base replaced: 0f9e8d7c6b does not build"};
  out.decision.expected_false_alarms = 0.003;
  out.gpu_s = 3.25;
  out.wall_s = 20;
  Comparison crash;
  crash.suite = "bsr_gemm";
  crash.benchmark = "gemm/ragged";
  crash.verdict = Verdict::crashed;
  crash.reason = "signal 11 (SIGSEGV)";
  crash.fingerprint = "a1b2c3";
  out.decision.comparisons = {timed("gemm/64", Verdict::unchanged, 1.002, 0.991, 1.013),
                              timed("gemm/128", Verdict::regressed, 1.412, 1.38, 1.445), crash};
  return out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

TEST(Table, ShowsSignificanceSizeAndDirectionApart) {
  EXPECT_EQ(to_table(sample(), {}),
            "run 7 of kernels: 1a2b3c4d5e against 0f9e8d7c6b\n"
            "benchmark    verdict    direction  head/base [99 %]      significance  pairs\n"
            "gemm/ragged  crashed    –          –                     –                 –\n"
            "    signal 11 (SIGSEGV) [fingerprint a1b2c3]\n"
            "gemm/128     regressed  slower     1.412 [1.380, 1.445]  q <.001           4\n"
            "    12.3 µs → 17.4 µs; proven slower than the tolerated 1 %\n"
            "gemm/64      unchanged  –          1.002 [0.991, 1.013]  q <.001           4\n"
            "\n"
            "regressed: 1 of 3 benchmarks regressed\n"
            "note: base replaced: 0f9e8d7c6b does not build\n"
            "Measuring took 3.2 s of 20.0 s. False alarms to expect in a run like this: 0.003.\n");
}

TEST(Table, FitsItsColumnsWhateverTheNamesAre) {
  Report report = sample();
  report.decision.comparisons[0].benchmark = std::string(300, 'x') + "/last";
  report.decision.comparisons[1].reason = std::string(500, 'y') + " and more " + std::string(200, 'z');
  report.decision.comparisons[2].suite = "another";
  report.decision.notices = {std::string(400, 'n')};
  for (const std::size_t columns : {80U, 100U, 160U})
    for (const std::string& line : lines_of(to_table(report, {.columns = columns, .colour = false})))
      EXPECT_LE(width(line), columns) << line;
  EXPECT_THAT(to_table(report, {}), HasSubstr("x/last"));
}

TEST(Table, ColoursOnlyWhenAsked) {
  EXPECT_THAT(to_table(sample(), {.columns = 100, .colour = true}), HasSubstr("\x1B[31mregressed\x1B[0m"));
  EXPECT_THAT(to_table(sample(), {}), Not(HasSubstr("\x1B")));
}

TEST(Table, ForeignTextCannotReachTheTerminal) {
  Report report = sample();
  report.title = "t\x1B[2Jt\n";
  report.decision.comparisons[1].benchmark = "na\x1B]0;x\x07me\n";
  report.decision.comparisons[1].reason = "rea\x9Bson\r";
  report.decision.notices = {"no\x1B[31mtice"};
  const std::string text = to_table(report, {});
  for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << int{c};
  EXPECT_THAT(text, HasSubstr("name"));
}

TEST(Table, WithoutComparisonsSaysWhy) {
  Report report;
  report.decision.conclusion = Conclusion::build_failed;
  report.decision.reason = "head does not build";
  EXPECT_EQ(to_table(report, {}), "build_failed: no benchmarks; head does not build\n");
}

TEST(Table, OfManyRowsShowsWhatMovedAndCountsTheRest) {
  Report report;
  for (int i = 0; i < 60; ++i) {
    Comparison c = timed((i % 2 == 0 ? "gemm/" : "copy/") + std::to_string(i), Verdict::unchanged, 1, 0.99, 1.01);
    if (i == 7) c.verdict = Verdict::improved;
    if (i == 9) c.verdict = Verdict::added;
    report.decision.comparisons.push_back(c);
  }
  const std::string text = to_table(report, {});
  EXPECT_THAT(text, HasSubstr("copy/7 "));
  EXPECT_THAT(text, Not(HasSubstr("gemm/0 ")));
  EXPECT_THAT(text, HasSubstr("not shown (--all shows every row):\n"
                              "    bsr_gemm: copy: 28 unchanged, 1 added\n"
                              "    bsr_gemm: gemm: 30 unchanged\n"));
  const std::string all = to_table(report, {.columns = 100, .colour = false, .all = true});
  EXPECT_THAT(all, HasSubstr("gemm/0 "));
  EXPECT_THAT(all, Not(HasSubstr("not shown")));
  for (Comparison& c : report.decision.comparisons) c.verdict = Verdict::regressed;
  EXPECT_THAT(to_table(report, {}), HasSubstr("gemm: 10 regressed\n"));
  report.decision.comparisons.resize(kRowsMost);
  EXPECT_THAT(to_table(report, {}), Not(HasSubstr("not shown")));
}

Report with_workload() {
  Report out = sample();
  out.decision.workloads.push_back({.suite = "",
                                    .name = "decode",
                                    .verdict = Verdict::unchanged,
                                    .ratio = 1.01,
                                    .low = 1.001,
                                    .high = 1.02,
                                    .benchmarks = 2,
                                    .timed = 2,
                                    .gains = {"gemm/64 -3.00 % (weight 70 %)"},
                                    .losses = {"a|b +2.00 % (weight 30 %)"}});
  out.decision.regions.push_back({"bsr_gemm", "bf16, K < 512", Verdict::regressed, 6, 6, 0, 1.04});
  return out;
}

TEST(Workloads, StandInEveryFormat) {
  EXPECT_THAT(to_table(with_workload(), {}),
              HasSubstr("workload decode: +1.00 % [+0.10 %, +2.00 %], unchanged (2 benchmarks)\n"
                        "    gains: gemm/64 -3.00 % (weight 70 %)\n"
                        "    losses: a|b +2.00 % (weight 30 %)\n"));
  EXPECT_THAT(to_markdown(with_workload()), HasSubstr("  - losses: a\\|b +2.00 % (weight 30 %)\n"));
  const auto json = nlohmann::json::parse(to_json(with_workload()));
  EXPECT_EQ(json.at("workloads").at(0).at("name"), "decode");
  EXPECT_EQ(json.at("workloads").at(0).at("verdict"), "unchanged");
  EXPECT_DOUBLE_EQ(json.at("workloads").at(0).at("high"), 1.02);
  EXPECT_EQ(json.at("workloads").at(0).at("gains").size(), 1U);
  EXPECT_EQ(json.at("regions").at(0).at("text"), "bf16, K < 512");
  EXPECT_EQ(json.at("regions").at(0).at("moved"), 6);
}

TEST(Table, AStreamThatIsNoTerminalGetsPlainText) {
  std::FILE* file = std::tmpfile();
  const TableStyle style = style_of(file);
  std::fclose(file);
  EXPECT_FALSE(style.colour);
  EXPECT_EQ(style.columns, 100U);
}

TEST(Table, IsPlainAsciiWhereTheLocaleIs) {
  const std::string table = to_table(sample(), {.columns = 100, .ascii = true});
  EXPECT_TRUE(std::all_of(table.begin(), table.end(), [](unsigned char c) { return c < 0x80; })) << table;
  std::size_t longest = 0;
  for (std::size_t at = 0, end = 0; at < table.size(); at = end + 1) {
    end = std::min(table.find('\n', at), table.size());
    longest = std::max(longest, end - at);
  }
  EXPECT_LE(longest, 100U);
}

TEST(Markdown, EscapesForeignText) {
  Report report = sample();
  report.decision.comparisons[1].benchmark = "a|b<script>`@team`";
  const std::string text = to_markdown(report);
  EXPECT_THAT(text, HasSubstr("| bsr\\_gemm: a\\|b&#60;script&#62;\\`&#64;&#8203;team\\` | regressed | slower | "
                              "1.412 \\[1.380, 1.445\\] | q &#60;.001 | 4 |"));
  EXPECT_THAT(text, HasSubstr("**regressed**: 1 of 3 benchmarks regressed\n"));
  report.decision.summary.clear();
  EXPECT_THAT(to_markdown(report), HasSubstr("**regressed**: 1 crashed, 1 regressed, 1 unchanged\n"));
}

TEST(Json, HasTheMembersOfSchemaOne) {
  Report report = sample();
  report.decision.comparisons[0].mwu_p.reset();
  report.decision.comparisons[0].ratio_high = std::numeric_limits<double>::infinity();
  report.decision.comparisons[2].benchmark = "broken \xFF \"quoted\"";
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json.at("schema"), 1);
  EXPECT_EQ(json.at("conclusion"), "regressed");
  const auto& second = json.at("comparisons").at(1);
  EXPECT_EQ(second.at("benchmark"), "gemm/128");
  EXPECT_EQ(second.at("verdict"), "regressed");
  EXPECT_EQ(second.at("severity"), "full");
  EXPECT_DOUBLE_EQ(second.at("ratio"), 1.412);
  EXPECT_DOUBLE_EQ(second.at("ratio_low"), 1.38);
  EXPECT_DOUBLE_EQ(second.at("cliffs_delta"), 1);
  EXPECT_EQ(second.at("pairs"), 4);
  EXPECT_EQ(second.at("reason"), "proven slower than the tolerated 1 %");
  EXPECT_TRUE(json.at("comparisons").at(0).at("mwu_p").is_null());
  EXPECT_TRUE(json.at("comparisons").at(0).at("ratio_high").is_null());
  EXPECT_EQ(json.at("comparisons").at(2).at("benchmark"), "broken \xEF\xBF\xBD \"quoted\"");
}

TEST(Evidence, OfARegressionIsShownInEveryFormat) {
  Report report = sample();
  Comparison& slower = report.decision.comparisons[1];
  slower.error_factor = 4;
  slower.roof = RoofPosition{.intensity = 12.5, .fraction = 0.62, .roof = "fp16"};
  slower.code_changes = {"gemm<64>: spills 0 -> 48 bytes, HGMMA 64 -> 0"};
  slower.counter_changes = {"L2 hit rate 91.2 -> 40.1 %"};
  const std::string table = to_table(report, {.columns = 400});
  EXPECT_THAT(table, HasSubstr("62 % of the fp16 roof; device code: gemm<64>: spills 0 -> 48 bytes, HGMMA 64 -> 0; "
                               "counters: L2 hit rate 91.2 -> 40.1 %"));
  EXPECT_THAT(to_markdown(report), HasSubstr("device code: gemm&#60;64&#62;: spills 0 -&#62; 48 bytes"));
  const auto json = nlohmann::json::parse(to_json(report))["comparisons"][1];
  EXPECT_EQ(json["error_factor"], 4);
  EXPECT_EQ(json["roof"]["roof"], "fp16");
  EXPECT_EQ(json["code_changes"][0], "gemm<64>: spills 0 -> 48 bytes, HGMMA 64 -> 0");
  EXPECT_EQ(json["counter_changes"][0], "L2 hit rate 91.2 -> 40.1 %");
}

TEST(ReportOfRun, CarriesWhatTheServerDecided) {
  wire::Run run;
  run.id = 7;
  run.repository = "kernels";
  run.commit = std::string(40, 'a');
  run.conclusion = Conclusion::passed;
  run.reused_from = 3;
  run.reason = "no_base";
  run.comparisons = sample().decision.comparisons;
  const Report report = report_of(run);
  EXPECT_EQ(report.title, "run 7 of kernels: aaaaaaaaaa, no base, judged by run 3");
  EXPECT_EQ(report.decision.conclusion, Conclusion::passed);
  EXPECT_EQ(report.decision.comparisons.size(), 3U);
}

TEST(Formats, AreThree) {
  EXPECT_EQ(parse_format("json"), Format::json);
  EXPECT_EQ(parse_format("table"), Format::table);
  EXPECT_EQ(parse_format("markdown"), Format::markdown);
  EXPECT_EQ(parse_format("xml"), std::nullopt);
}

}  // namespace report_test
}  // namespace kernelgate::report

// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/report/report.hpp"

namespace kernelgate::report {
namespace markdown_test {

using testing::HasSubstr;
using testing::Not;

Comparison comparison(const std::string& benchmark, Verdict verdict) {
  Comparison out;
  out.suite = "s";
  out.benchmark = benchmark;
  out.verdict = verdict;
  return out;
}

TEST(MarkdownReport, OfALongTableKeepsWhatMoved) {
  Report report;
  for (int i = 0; i < 50; ++i)
    report.decision.comparisons.push_back(comparison("gemm/" + std::to_string(i), Verdict::unchanged));
  report.decision.comparisons.push_back(comparison("scan/@all", Verdict::regressed));
  const std::string text = to_markdown(report, 10);
  EXPECT_THAT(text, HasSubstr("| s: scan/&#64;&#8203;all | regressed |"));
  EXPECT_THAT(text, HasSubstr("\n- s: gemm: 50 unchanged\n"));
  EXPECT_THAT(to_markdown(report), Not(HasSubstr("gemm: 50 unchanged")));
}

TEST(MarkdownReport, AQuarantinedVerdictIsMarked) {
  Report report;
  report.decision.comparisons = {comparison("b", Verdict::regressed)};
  report.decision.comparisons[0].quarantined = "calibration: noisy";
  EXPECT_THAT(to_markdown(report), HasSubstr("| s: b | regressed, quarantined |"));
}

TEST(MarkdownReport, TheKernelThatMovedStandsInItsRow) {
  Report report;
  Comparison c = comparison("fill", Verdict::regressed);
  c.clock = ClockKind::device;
  c.device = DeviceComparison{};
  for (const double ratio : {1.143, 1.001, 1.0, 1.0, 1.0})
    c.device->kernels.push_back({.kernel = "k" + std::to_string(c.device->kernels.size()),
                                 .full_name = {},
                                 .grid = "256,1,1",
                                 .block = {},
                                 .verdict = ratio > 1.1 ? Verdict::regressed : Verdict::unchanged,
                                 .base_launches = 1,
                                 .head_launches = 2,
                                 .base_ns = 1000,
                                 .head_ns = 1000 * ratio,
                                 .ratio = ratio});
  report.decision.comparisons = {c};
  const std::string text = to_markdown(report);
  EXPECT_THAT(text, HasSubstr("| s: fill | regressed, device |"));
  EXPECT_THAT(text, HasSubstr("<br>k0 256,1,1: 1.00 µs → 1.14 µs × 2, 1.143, regressed<br>k1"));
  EXPECT_THAT(text, HasSubstr("<br>and 2 more kernels |"));
}

}  // namespace markdown_test
}  // namespace kernelgate::report

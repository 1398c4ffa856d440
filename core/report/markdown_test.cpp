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

}  // namespace markdown_test
}  // namespace kernelgate::report

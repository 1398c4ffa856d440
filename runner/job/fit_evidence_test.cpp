// SPDX-License-Identifier: Apache-2.0
#include "runner/job/fit_evidence.hpp"

#include <gmock/gmock.h>

#include "core/decision/decide.hpp"
#include "core/wire/codec.hpp"

namespace kernelgate {
namespace fit_evidence_test {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Bytes kMost{1u << 20};

CheckCase passed(Side side, const std::string& name, double error = 1e-7) {
  CheckCase out;
  out.suite = "gemm";
  out.side = side;
  out.name = name;
  out.passed = true;
  out.rel_err = error;
  return out;
}

RunEvidence evidence_of(SuiteEvidence suite) {
  suite.name = "gemm";
  RunEvidence out;
  out.suites.push_back(std::move(suite));
  return out;
}

std::size_t size_of(const RunEvidence& evidence) { return wire::encode(evidence).size(); }

std::string long_name(int number) { return std::to_string(number) + std::string(500, '\x01'); }  // six bytes each

TEST(FitEvidence, WhatFitsIsAsItWas) {
  SuiteEvidence suite;
  suite.checks = {passed(Side::base, "a"), passed(Side::head, "a")};
  suite.head_code.push_back({.kernel = "k", .arch = "sm_90a", .sass_sha256 = "", .instructions = {}});
  suite.processes.resize(1);
  RunEvidence evidence = evidence_of(suite);
  const std::string before = wire::encode(evidence);
  fit_evidence(evidence, kMost);
  EXPECT_EQ(wire::encode(evidence), before);
}

TEST(FitEvidence, WhatExplainsGoesFirst) {
  SuiteEvidence suite;
  suite.checks = {passed(Side::base, "a"), passed(Side::head, "a")};
  suite.head_code.push_back(
      {.kernel = std::string(2 * kMost.value, 'k'), .arch = "", .sass_sha256 = "", .instructions = {}});
  RunEvidence evidence = evidence_of(suite);
  fit_evidence(evidence, kMost);
  EXPECT_LE(size_of(evidence), kMost.value);
  EXPECT_THAT(evidence.suites[0].head_code, IsEmpty());
  EXPECT_THAT(evidence.suites[0].checks, SizeIs(2));
  EXPECT_THAT(evidence.notices, Contains(HasSubstr("gemm: device code")));
}

TEST(FitEvidence, CasesWhoseErrorGrewStay) {
  SuiteEvidence suite;
  for (int i = 0; i < 5000; ++i)
    for (const Side side : {Side::base, Side::head}) suite.checks.push_back(passed(side, "case/" + std::to_string(i)));
  suite.checks.back().rel_err = 1e-3;
  RunEvidence evidence = evidence_of(suite);
  fit_evidence(evidence, kMost);
  EXPECT_LE(size_of(evidence), kMost.value);
  ASSERT_THAT(evidence.suites[0].checks, SizeIs(2));
  EXPECT_EQ(evidence.suites[0].checks[0].name, "case/4999");
  EXPECT_TRUE(evidence.suites[0].checks_passed);
  EXPECT_THAT(evidence.notices, Contains(HasSubstr("9998 cases")));
}

TEST(FitEvidence, AHeadThatSaysMoreThanIsKeptIsBroken) {
  SuiteEvidence suite;
  suite.base_benchmarks = {"a"};
  for (int i = 0; i < limits::kBenchmarksPerSuiteMax; ++i) suite.head_benchmarks.push_back(long_name(i));
  RunEvidence evidence = evidence_of(suite);
  fit_evidence(evidence, kMost);
  EXPECT_LE(size_of(evidence), kMost.value);
  EXPECT_EQ(decide_run(evidence, {}, {}).conclusion, Conclusion::broken);
}

TEST(FitEvidence, ABaseThatDoesIsNotHeadsFault) {
  SuiteEvidence suite;
  suite.head_benchmarks = {"a"};
  for (int i = 0; i < limits::kBenchmarksPerSuiteMax; ++i) suite.base_benchmarks.push_back(long_name(i));
  RunEvidence evidence = evidence_of(suite);
  fit_evidence(evidence, kMost);
  EXPECT_LE(size_of(evidence), kMost.value);
  EXPECT_EQ(decide_run(evidence, {}, {}).conclusion, Conclusion::infrastructure);
}

TEST(FitEvidence, NoticesAndTextsAreBounded) {
  RunEvidence evidence = evidence_of({});
  evidence.notices.assign(5000, std::string(10'000, 'n'));
  evidence.infrastructure = std::string(kMost.value, 'i');
  fit_evidence(evidence, kMost);
  EXPECT_LE(size_of(evidence), kMost.value);
  EXPECT_THAT(evidence.notices, SizeIs(limits::kNoticesMax));
  EXPECT_THAT(evidence.notices.back(), HasSubstr("4801 more"));
}

}  // namespace fit_evidence_test
}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#include "runner/check/check.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "runner/check/check_lines.hpp"

namespace kernelgate {
namespace check_test {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

constexpr const char* kGood = R"({"name":"square/naive","shape":"96x96","passed":true,"bound":1e-5,)"
                              R"("max_abs_err":1e-7,"rel_err":2e-8,"seed":"0x1"})";
constexpr const char* kBad = R"({"name":"odd/naive","shape":"67x45","passed":false,"bound":1e-5,)"
                             R"("max_abs_err":0.5,"rel_err":0.01234567,"first_bad":12,"seed":2})";

CheckReport run(const std::string& shell_line, std::chrono::seconds timeout = std::chrono::seconds(60)) {
  static const auto sandbox = Sandbox::open({.none = true});
  CheckRequest request;
  request.suite = "gemm";
  request.line = shell_line;
  request.mounts = {{"/", std::string(kInsideBuild), false}};
  request.timeout = timeout;
  auto report = run_check(*sandbox, request);
  EXPECT_TRUE(report) << to_string(report.error());
  return report ? *report : CheckReport{};
}

std::string print(const std::string& line) { return "printf '%s\\n' '" + line + "'; "; }

TEST(Check, PassesWithItsCases) {
  const auto report = run("echo starting; " + print(kGood) + "true");
  EXPECT_TRUE(report.passed());
  ASSERT_THAT(report.cases, SizeIs(1));
  EXPECT_EQ(report.cases[0].suite, "gemm");
  EXPECT_DOUBLE_EQ(report.cases[0].rel_err, 2e-8);
  EXPECT_EQ(report.cases[0].seed, "0x1");
}

TEST(Check, WrongNumbersAreBrokenWithTheirFingerprint) {
  const auto report = run(print(kGood) + print(kBad) + "exit 1");
  ASSERT_THAT(report.failures, SizeIs(1));
  EXPECT_EQ(report.failures[0].verdict, Verdict::broken);
  EXPECT_EQ(report.failures[0].benchmark, "odd/naive");
  EXPECT_THAT(report.failures[0].fingerprint, HasSubstr("odd/naive wrong_value 0.0123457"));
  EXPECT_EQ(report.cases[1].first_bad, 12);
  EXPECT_EQ(report.cases[1].seed, "2");
}

TEST(Check, AFailedCaseCountsWhateverTheExitCode) { EXPECT_FALSE(run(print(kBad) + "true").passed()); }

TEST(Check, ACaseThatOnlyBaseHasIsMissingInHead) {
  const auto base = run(print(kGood) + print(R"({"name":"second","passed":true})"));
  auto head = run(print(kGood));
  ASSERT_TRUE(head.passed());
  add_missing_cases(base.cases, head);
  ASSERT_THAT(head.failures, SizeIs(1));
  EXPECT_EQ(head.failures[0].benchmark, "second");
  EXPECT_EQ(head.failures[0].verdict, Verdict::broken);
  EXPECT_EQ(head.cases.back().error_class, "missing");
  auto silent = run("true");  // int main() { return 0; }
  add_missing_cases(base.cases, silent);
  EXPECT_THAT(silent.failures, SizeIs(2));
  auto same = run(print(R"({"name":"second","passed":true})") + print(kGood));
  add_missing_cases(base.cases, same);
  EXPECT_TRUE(same.passed());
}

// Without the limit of depth nlohmann's dump() recurses until the stack ends, and the daemon with it.
TEST(Check, ALineThatNestsWithoutEndIsUnreadable) {
  const auto report =
      run("printf '{\"passed\":true,\"name\":'; head -c 400000 /dev/zero | tr '\\0' '['; "
          "head -c 400000 /dev/zero | tr '\\0' ']'; printf '}\\n'");
  ASSERT_THAT(report.failures, SizeIs(1));
  EXPECT_THAT(report.failures[0].text, HasSubstr("no check case"));
}

TEST(Check, TooManyCasesFailAndFewAreKept) {
  const auto report = run("yes '{\"name\":\"a\",\"passed\":true}' | head -n 60000");
  EXPECT_THAT(report.failures, SizeIs(1));
  EXPECT_EQ(report.cases.size(), limits::kCheckCasesMax + 1);
}

TEST(Check, CasesBeyondTheMostAreCountedAndNotKept) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "{\"name\":\"a\",\"passed\":true}\n";
  const CheckLines lines = read_check_lines(text + "{\"name\":\"b\",\"passed\":false}\n");
  EXPECT_EQ(lines.cases.size(), limits::kCheckCasesMax);
  EXPECT_EQ(lines.count, 20'001U);
  EXPECT_TRUE(lines.a_case_failed);
}

TEST(Check, LongTextsAreCutAndLongNamesUnreadable) {
  const std::string text(100'000, 'x');
  const auto lines = read_check_lines(R"({"name":"a","passed":false,"text":")" + text + "\"}\n" + R"({"name":")" +
                                      text + R"(","passed":true})");
  ASSERT_THAT(lines.cases, SizeIs(1));
  EXPECT_EQ(lines.cases[0].text.size(), limits::kSaidTextMax);
  EXPECT_EQ(lines.unreadable, 1);
}

TEST(Check, WithoutLinesTheExitCodeCounts) {
  EXPECT_TRUE(run("true").passed());
  const auto report = run("echo 'mismatch at 7' >&2; exit 1");
  ASSERT_THAT(report.failures, SizeIs(1));
  EXPECT_EQ(report.failures[0].verdict, Verdict::broken);
  EXPECT_THAT(report.failures[0].text, HasSubstr("mismatch at 7"));
}

TEST(Check, ASignalIsACrashThatNamesTheLastCase) {
  const auto report = run(print(kGood) + "kill -SEGV $$");
  ASSERT_THAT(report.failures, SizeIs(1));
  EXPECT_EQ(report.failures[0].verdict, Verdict::crashed);
  EXPECT_EQ(report.failures[0].signal, 11);
  EXPECT_THAT(report.failures[0].text, HasSubstr("square/naive"));
}

TEST(Check, AnOddExitCodeIsACrash) {
  const auto report = run("echo 'CUDA error: misaligned address' >&2; exit 3");
  ASSERT_THAT(report.failures, SizeIs(1));
  EXPECT_EQ(report.failures[0].verdict, Verdict::crashed);
  EXPECT_THAT(report.failures[0].text, HasSubstr("misaligned address"));
}

TEST(Check, OneThatNeverEndsIsTimedOut) {
  const auto report = run("sleep 600", std::chrono::seconds(1));
  ASSERT_THAT(report.failures, SizeIs(1));
  EXPECT_EQ(report.failures[0].verdict, Verdict::timed_out);
}

TEST(Check, AnUnreadableLineIsNotTakenForSuccess) {
  EXPECT_FALSE(run(print(R"({"name":"half)") + "true").passed());
  EXPECT_FALSE(run(print(R"({"name":"x"})") + "true").passed());
}

TEST(CheckLines, NotFiniteIsAClassOfItsOwn) {
  const auto lines = read_check_lines(R"({"name":"a","passed":false,"rel_err":nan,"max_abs_err":-inf,"bound":1})");
  ASSERT_THAT(lines.cases, SizeIs(1));
  EXPECT_EQ(lines.cases[0].error_class, "not_finite");
  EXPECT_TRUE(std::isnan(lines.cases[0].rel_err));
  EXPECT_TRUE(std::isnan(lines.cases[0].max_abs_err));
  EXPECT_THAT(lines.cases[0].fingerprint, HasSubstr("a not_finite nan"));
}

TEST(CheckLines, ACaseWhoseErrorIsNoNumberHasNotPassed) {
  for (const char* figure : {R"("rel_err":null)", R"("rel_err":NaN)", R"("rel_err":-Infinity)", R"("max_abs_err":inf)",
                             R"("rel_err":"nan")"}) {
    CheckRequest request;
    ProcessResult ended;
    ended.out = std::string(R"({"name":"a","passed":true,"bound":1e-5,)") + figure + "}\n";
    const auto report = judge_check(request, ended);
    ASSERT_THAT(report.failures, SizeIs(1)) << figure;
    EXPECT_EQ(report.failures[0].verdict, Verdict::broken) << figure;
    EXPECT_THAT(report.failures[0].text, HasSubstr("no number")) << figure;
  }
}

TEST(CheckLines, ADeviceErrorIsACrash) {
  CheckRequest request;
  ProcessResult ended;
  ended.exit_code = 1;
  ended.out = R"({"name":"a","passed":false,"error_class":"cuda_error","text":"an illegal memory access"})";
  EXPECT_EQ(judge_check(request, ended).failures.at(0).verdict, Verdict::crashed);
}

TEST(Fingerprint, SixDigitsOfTheValueCount) {
  EXPECT_EQ(fingerprint_of("a", "wrong_value", 0.01234567), fingerprint_of("a", "wrong_value", 0.01234569));
  EXPECT_NE(fingerprint_of("a", "wrong_value", 0.0123456), fingerprint_of("a", "wrong_value", 0.0123466));
  EXPECT_NE(fingerprint_of("a", "wrong_value", 1), fingerprint_of("b", "wrong_value", 1));
}

}  // namespace check_test
}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#include "runner/check/check_lines.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/units/limits.hpp"

namespace kernelgate {
namespace check_lines_test {

CheckCase only(const std::string& line) {
  const CheckLines lines = read_check_lines(line);
  EXPECT_EQ(lines.unreadable, 0) << line;
  EXPECT_EQ(lines.cases.size(), 1U) << line;
  return lines.cases.empty() ? CheckCase{} : lines.cases[0];
}

TEST(CheckLines, OfOtherTextArePassedOver) {
  const CheckLines lines = read_check_lines(
      "hello\n\n  \t\r\n[1,2]\n\"text\"\n  {\"name\":\"a\",\"passed\":true}\r\n"
      "warning: {\"name\":\"b\"}\n{\"name\":\"c\",\"passed\":false,\"rel_err\":2}");
  ASSERT_EQ(lines.cases.size(), 2U);
  EXPECT_EQ(lines.cases[0].name, "a");
  EXPECT_TRUE(lines.cases[0].passed);
  EXPECT_EQ(lines.cases[1].name, "c");
  EXPECT_EQ(lines.unreadable, 0);
}

// A wrong kernel must not pass because its line cannot be read.
TEST(CheckLines, ThatBeginAnObjectAndAreNoneAreCounted) {
  const char* wrong[] = {"{",
                         "{}",
                         "{\"name\":\"a\"}",
                         "{\"passed\":true}",
                         "{\"name\":\"\",\"passed\":true}",
                         "{\"name\":null,\"passed\":true}",
                         "{\"name\":\"a\",\"passed\":1}",
                         "{\"name\":\"a\",\"passed\":\"true\"}",
                         "{\"name\":\"a\",\"passed\":null}",
                         "{\"name\":\"a\",\"passed\":true} {}",
                         "{\"name\":\"a\",\"passed\":true",
                         "{\"name\":\"\xff\",\"passed\":true}",
                         "{name:1}"};
  std::string text;
  int count = 0;
  for (const char* line : wrong) {
    EXPECT_EQ(read_check_lines(line).unreadable, 1) << line;
    EXPECT_EQ(read_check_lines(line).first_unreadable, line);
    text += std::string(line) + "\n";
    ++count;
  }
  EXPECT_EQ(read_check_lines(text).unreadable, count);
  EXPECT_TRUE(read_check_lines(text).cases.empty());
  EXPECT_EQ(read_check_lines(text).first_unreadable, wrong[0]);
  EXPECT_EQ(read_check_lines("{" + std::string(1000, 'x')).first_unreadable.size(), 200U);
}

TEST(CheckLines, NestTwoLessThanTheLimitInsideTheirObject) {
  const auto nested = [](int depth) {
    const auto count = static_cast<std::size_t>(depth);
    return R"({"name":"a","passed":true,"more":)" + std::string(count, '[') + std::string(count, ']') + "}";
  };
  EXPECT_EQ(read_check_lines(nested(limits::kJsonDepthMax - 1)).unreadable, 0);
  EXPECT_EQ(read_check_lines(nested(limits::kJsonDepthMax)).unreadable, 1);
  EXPECT_EQ(read_check_lines(nested(1'000'000)).unreadable, 1);
}

// A program that asks `error > bound` takes NaN for right.
TEST(CheckLines, AnErrorThatIsNoNumberNeverPasses) {
  for (const char* value : {"NaN", "nan", "-nan", "Infinity", "-inf", "null", "\"0.1\"", "true", "[]"})
    for (const char* member : {"rel_err", "max_abs_err"}) {
      const CheckCase one =
          only(std::string(R"({"name":"a","passed":true,")") + member + "\":" + value + ",\"bound\":1}");
      EXPECT_FALSE(one.passed) << member << value;
      EXPECT_EQ(one.error_class, "not_finite");
      EXPECT_EQ(one.text.rfind("not_finite: the program says that this case passed", 0), 0U) << one.text;
    }
  EXPECT_FALSE(read_check_lines(R"({"name":"a","passed":true,"rel_err":1e999})").unreadable == 0 &&
               only(R"({"name":"a","passed":true,"rel_err":1e999})").passed);
}

TEST(CheckLines, AFailureIsNamedByItsClassAndValue) {
  const CheckCase plain = only(R"({"name":"a","passed":false,"rel_err":0.5,"bound":0.125,"first_bad":7,"seed":42})");
  EXPECT_EQ(plain.error_class, "wrong_value");
  EXPECT_EQ(plain.error_value, 0.5);
  EXPECT_EQ(plain.text, "wrong_value: error 0.5, bound 0.125");
  EXPECT_EQ(plain.first_bad, 7);
  EXPECT_EQ(plain.seed, "42");
  const CheckCase own = only(
      R"({"name":"a","passed":false,"rel_err":0.5,"error_class":"race","error_value":3,"text":"row 9","seed":"x"})");
  EXPECT_EQ(own.error_class, "race");
  EXPECT_EQ(own.error_value, 3);
  EXPECT_EQ(own.text, "row 9");
  EXPECT_EQ(own.fingerprint, fingerprint_of("a", "race", 3));
  EXPECT_EQ(only(R"({"name":"a","passed":false,"rel_err":nan})").error_class, "not_finite");
}

TEST(CheckLines, WhatPassesHasNoFailure) {
  const CheckCase one = only(R"({"name":"a","shape":"7x9","passed":true,"rel_err":0.5,"error_class":"x","text":"t"})");
  EXPECT_TRUE(one.passed);
  EXPECT_EQ(one.error_class + one.fingerprint, "");
  EXPECT_EQ(one.shape, "7x9");
  EXPECT_EQ(one.first_bad, -1);
  EXPECT_EQ(only(R"({"name":"a","passed":true,"first_bad":1.5})").first_bad, -1);
}

TEST(Fingerprint, IsThatOfCaseClassAndSixDigits) {
  const std::string one = fingerprint_of("square/naive", "wrong_value", 0.0123456711);
  EXPECT_EQ(one.substr(8), " square/naive wrong_value 0.0123457");
  EXPECT_EQ(one, fingerprint_of("square/naive", "wrong_value", 0.0123456742));
  EXPECT_NE(one, fingerprint_of("square/naive", "wrong_value", 0.0123466));
  EXPECT_NE(one.substr(0, 8), fingerprint_of("square/naiv", "ewrong_value", 0.0123456711).substr(0, 8));
  EXPECT_EQ(fingerprint_of("a", "not_finite", std::nan("")), fingerprint_of("a", "not_finite", std::nan("")));
}

}  // namespace check_lines_test
}  // namespace kernelgate

// SPDX-License-Identifier: Apache-2.0
#include <sys/wait.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <limits>
#include <set>
#include <sstream>

#include "kernels/bsr_gemm/reference.hpp"
#include "kernels/bsr_gemm/verify.hpp"

namespace kernels {
namespace {

constexpr Shape kSmall{.name = "small", .m = 35, .n = 21, .k = 30, .block_rows = 8, .block_columns = 6, .density = 0.5};

struct Printed {
  std::string text;
  int exit_code = -1;
};
Printed run(const std::string& command) {
  Printed printed;
  std::FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 4096> part{};
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe))
    printed.text.append(part.data(), count);
  printed.exit_code = WEXITSTATUS(pclose(pipe));
  return printed;
}

TEST(Generate, SameSeedGivesSameOperands) {
  const Operands one = generate(kSmall, 7), two = generate(kSmall, 7), other = generate(kSmall, 8);
  EXPECT_EQ(one.a.values, two.a.values);
  EXPECT_EQ(one.b, two.b);
  EXPECT_NE(one.b, other.b);
}

TEST(Generate, EmptyRowsHaveNoBlock) {
  Shape shape = kSmall;
  shape.empty_rows = 1;
  EXPECT_TRUE(generate(shape, 1).a.values.empty());
}

TEST(Reference, MatchesAProductWorkedOutByHand) {
  //                 [1  2]
  // [1 2 | 0 0]     [3  4]     [ 7  10]
  // [0 0 | 3 4]  x  [5  6]  =  [43 -14]
  //                 [7 -8]
  BsrMatrix a{.rows = 2,
              .columns = 4,
              .block_rows = 1,
              .block_columns = 2,
              .row_begin = {0, 1, 2},
              .block_column = {0, 1},
              .values = {1, 2, 3, 4}};
  const Reference reference = reference_product(a, {1, 2, 3, 4, 5, 6, 7, -8}, 2);
  EXPECT_EQ(reference.sum, (std::vector<double>{7, 10, 43, -14}));
  EXPECT_EQ(reference.magnitude, (std::vector<double>{7, 10, 43, 50}));
}

TEST(Verify, EveryVariantPasses) {
  for (const Variant& variant : variants()) {
    const Outcome outcome = verify(variant, kSmall, 3);
    EXPECT_TRUE(outcome.passed) << to_json(outcome);
  }
}

void last_element_wrong(const BsrMatrix& a, const float* b, int n, float* c) {
  bsr_gemm_naive(a, b, n, c);
  c[static_cast<long>(a.rows) * n - 1] += 0.5f;
}
void last_element_unwritten(const BsrMatrix& a, const float* b, int n, float* c) {
  std::vector<float> whole(static_cast<std::size_t>(a.rows) * n);
  bsr_gemm_naive(a, b, n, whole.data());
  std::copy(whole.begin(), whole.end() - 1, c);
}
void first_element_infinite(const BsrMatrix& a, const float* b, int n, float* c) {
  bsr_gemm_naive(a, b, n, c);
  c[0] = std::numeric_limits<float>::infinity();
}
void one_element_too_many(const BsrMatrix& a, const float* b, int n, float* c) {
  bsr_gemm_naive(a, b, n, c);
  c[static_cast<long>(a.rows) * n] = 0;
}

TEST(Verify, EachKindOfWrongKernelIsTold) {
  struct Case {
    BsrGemm multiply;
    const char* error_class;
    std::int64_t first_bad;
  };
  constexpr int kLast = kSmall.m * kSmall.n - 1;
  for (const Case& wrong :
       {Case{last_element_wrong, "wrong_value", kLast}, Case{last_element_unwritten, "unwritten", kLast},
        Case{first_element_infinite, "not_finite", 0}, Case{one_element_too_many, "out_of_bounds", -1}}) {
    const Outcome outcome = verify({"wrong", wrong.multiply}, kSmall, 3);
    EXPECT_FALSE(outcome.passed);
    EXPECT_EQ(outcome.error_class, wrong.error_class);
    EXPECT_EQ(outcome.first_bad, wrong.first_bad);
    EXPECT_GT(outcome.error_value, 0);
  }
}

TEST(Check, PrintsOneJsonLineForEachCase) {
  const Printed printed = run("'" CHECK_PROGRAM "' 0x2a");
  EXPECT_EQ(printed.exit_code, 0);
  std::istringstream lines(printed.text);
  std::set<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    EXPECT_TRUE(names.insert(json.at("name").get<std::string>()).second) << line;
    EXPECT_TRUE(json.at("passed").get<bool>()) << line;
    EXPECT_LE(json.at("rel_err").get<double>(), json.at("bound").get<double>()) << line;
    EXPECT_GE(json.at("max_abs_err").get<double>(), 0);
    EXPECT_EQ(json.at("first_bad").get<int>(), -1);
    EXPECT_EQ(json.at("error_class").get<std::string>(), "");
    EXPECT_EQ(json.at("error_value").get<double>(), 0);
    EXPECT_FALSE(json.at("shape").get<std::string>().empty());
    EXPECT_EQ(json.at("seed") == "0x2a", json.at("name").get<std::string>().ends_with("/fresh")) << line;
  }
  EXPECT_EQ(names.size(), variants().size() * 20);
}

TEST(Check, RefusesASeedThatIsNoNumber) { EXPECT_EQ(run("'" CHECK_PROGRAM "' blue 2>&1").exit_code, 2); }

TEST(Suite, NamesEachVariantAndProblem) {
  const Printed printed = run("'" BENCH_PROGRAM "' --benchmark_list_tests=true 2>/dev/null");
  EXPECT_EQ(printed.exit_code, 0);
  for (const Variant& variant : variants())
    EXPECT_NE(printed.text.find(std::string("bsr_gemm/") + variant.name + "/512/bs:32/density:0.125\n"),
              std::string::npos);
}

}  // namespace
}  // namespace kernels

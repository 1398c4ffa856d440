// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/pytest_benchmark.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

namespace kernelgate::suite {
namespace pytest_benchmark_test {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Gt;
using testing::HasSubstr;
using testing::SizeIs;

std::string golden(const std::string& name) {
  std::ifstream file(std::string(KG_FORMATS_DIR) + "/pytest/" + name, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Result<SuiteResult> read(const std::string& text, ReadOptions options = {}) {
  return read_pytest_benchmark(text, options, "p.json");
}

TEST(PytestBenchmark, RoundsAreSamples) {
  const auto result = read(golden("3.2.2.json"));
  ASSERT_TRUE(result) << to_string(result.error());
  std::vector<std::string> names;
  for (const auto& series : result->series) names.push_back(series.benchmark);
  EXPECT_THAT(names, ElementsAre("test_golden.py::test_gemm[64]", "test_golden.py::test_gemm[128]",
                                 "test_golden.py::test_pedantic", "test_golden.py::TestGroup::test_method",
                                 "test_golden.py::test_fails"));
  EXPECT_THAT(result->series[0].samples_ns, AllOf(SizeIs(12), Each(Gt(64e3))));
  EXPECT_EQ(result->series[0].counters.at("flops"), 2.0 * 64 * 64 * 64);
  EXPECT_EQ(result->series[0].counters.count("dtype"), 0U);
  EXPECT_EQ(result->repetition[2].repetitions, 4) << "a pedantic benchmark keeps its own rounds";
  EXPECT_GE(result->repetition[2].longest_ms, 2) << "two iterations of 1 ms a round";
}

TEST(PytestBenchmark, StatisticsOnlyAreANamedError) {
  const auto result = read(golden("3.2.2.saved.json"));
  ASSERT_FALSE(result);
  EXPECT_THAT(to_string(result.error()), AllOf(HasSubstr("statistics only"), HasSubstr("--benchmark-save-data")));
}

TEST(PytestBenchmark, TheListIsItsNodeIds) {
  const auto names = read_pytest_list(golden("3.2.2.list"), "list");
  ASSERT_TRUE(names);
  EXPECT_THAT(*names, AllOf(SizeIs(6), Contains("test_golden.py::TestGroup::test_method")));
  const auto none = read_pytest_list("test_golden.py: 6\n\n6 tests collected\n", "list");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().fix, HasSubstr("leave -q"));
}

TEST(PytestBenchmark, DamagedFilesAreNamedErrors) {
  const std::string whole = golden("3.2.2.json");
  struct Case {
    std::string text;
    const char* what;
  };
  for (const Case& c :
       {Case{"", "empty"}, Case{whole.substr(0, whole.size() / 2), "half of it"}, Case{"[]", "no \"benchmarks\""},
        Case{R"({"benchmarks":[]})", "no benchmark"}, Case{R"({"benchmarks":[{"stats":{}}]})", "has no name"}}) {
    const auto result = read(c.text);
    ASSERT_FALSE(result) << c.text;
    EXPECT_THAT(to_string(result.error()), HasSubstr(c.what));
    EXPECT_EQ(result.error().where, "p.json");
  }
  const auto zero = read(R"({"benchmarks":[{"fullname":"a","stats":{"data":[1,NaN]}}]})");
  ASSERT_TRUE(zero);
  EXPECT_THAT(zero->series[0].error, HasSubstr("not a positive number"));
  const auto endless = read(R"({"benchmarks":[{"fullname":"a","stats":{"data":[1,1e30]}}]})");
  ASSERT_TRUE(endless);
  EXPECT_THAT(endless->series[0].error, HasSubstr("the time of a round of 1e+39 ns is over a day"));
  EXPECT_FALSE(read(whole, {.time = TimeSource::cpu}));
  EXPECT_TRUE(read("", {.partial = true}));
}

}  // namespace pytest_benchmark_test
}  // namespace kernelgate::suite

// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/google_benchmark.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "core/units/limits.hpp"

namespace kernelgate::suite {
namespace google_benchmark_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string golden(const std::string& name) {
  std::ifstream file(std::string(KG_GOLDEN_DIR) + "/" + name, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

const Series* find(const SuiteResult& result, const std::string& name) {
  for (const auto& series : result.series)
    if (series.benchmark == name) return &series;
  return nullptr;
}

std::string row(const std::string& name, int index, const std::string& rest) {
  return R"({"name":")" + name + R"(","run_name":")" + name + R"(","run_type":"iteration","repetition_index":)" +
         std::to_string(index) + "," + rest + "}";
}

std::string document(const std::vector<std::string>& rows) {
  std::string out = "{\n  \"context\": {\"caches\":[{\"size\":1}]},\n  \"benchmarks\": [";
  for (std::size_t i = 0; i < rows.size(); ++i) out += (i ? "," : "") + rows[i];
  return out + "]\n}\n";
}

Result<SuiteResult> read(const std::string& text, ReadOptions options = {}) {
  return read_google_benchmark(text, options, "result.json");
}

class GoldenResult : public testing::TestWithParam<const char*> {};

TEST_P(GoldenResult, IsRead) {
  const auto result = read(golden(std::string(GetParam()) + ".json"));
  ASSERT_TRUE(result) << to_string(result.error());
  const Series* gemm = find(*result, "gemm/naive/8");
  ASSERT_NE(gemm, nullptr);
  EXPECT_THAT(gemm->samples_ns, SizeIs(3));
  EXPECT_GT(gemm->counters.at("flops"), 0);
  EXPECT_EQ(gemm->counters.count("zero_over_zero"), 0U);
  EXPECT_EQ(gemm->counters.count("iterations"), 0U);

  const Series* manual = find(*result, "manual/manual_time");
  ASSERT_NE(manual, nullptr);
  for (const double ns : manual->samples_ns) EXPECT_NEAR(ns, 2e6, 1);

  ASSERT_NE(find(*result, "threads/1/real_time/threads:2"), nullptr);
  ASSERT_NE(find(*result, "quote\"back\\slash/größe µ/2"), nullptr);
  EXPECT_THAT(find(*result, "fails")->error, HasSubstr("illegal memory access"));
  EXPECT_THAT(find(*result, "fails")->samples_ns, IsEmpty());
  EXPECT_THAT(find(*result, "summary/1")->error, HasSubstr("aggregates only"));
  EXPECT_EQ(find(*result, "fit"), nullptr) << "a fit over a family is no benchmark";

  const Series* fixed = find(*result, "fixed/1/repeats:4");
  ASSERT_NE(fixed, nullptr);
  EXPECT_THAT(fixed->samples_ns, SizeIs(4));
  EXPECT_EQ(result->repetition[static_cast<std::size_t>(fixed - result->series.data())].repetitions, 4);
}

TEST_P(GoldenResult, CpuTimeIsTheOtherColumn) {
  ReadOptions options;
  options.time = TimeSource::cpu;
  const auto result = read(golden(std::string(GetParam()) + ".json"), options);
  ASSERT_TRUE(result) << to_string(result.error());
  for (const double ns : find(*result, "manual/manual_time")->samples_ns) EXPECT_LT(ns, 1e6);
}

TEST_P(GoldenResult, EachListedNameHasItsRows) {
  const auto names = read_benchmark_list(golden(std::string(GetParam()) + ".list"), "list");
  const auto result = read(golden(std::string(GetParam()) + ".json"));
  ASSERT_TRUE(names && result);
  EXPECT_EQ(names->size(), result->series.size() + result->skipped.size());
  for (const auto& name : *names)
    EXPECT_TRUE(find(*result, name) != nullptr || result->skipped.front().benchmark == name) << name;
}

INSTANTIATE_TEST_SUITE_P(Versions, GoldenResult, testing::Values("1.5.0", "1.6.1", "1.7.1", "1.8.3", "1.9.4"));

TEST(GoogleBenchmark, SkippedWithAMessageIsNeitherTimedNorWrong) {
  const auto result = read(golden("1.9.4.json"));
  ASSERT_TRUE(result);
  ASSERT_THAT(result->skipped, SizeIs(1));
  EXPECT_EQ(result->skipped[0].message, "needs compute capability 9.0");
}

TEST(GoogleBenchmark, SkippedOnesAreAsManyAsOthersMayBe) {
  std::vector<std::string> rows;
  for (int i = 0; i <= limits::kBenchmarksPerSuiteMax; ++i)
    rows.push_back(R"({"name":")" + std::to_string(i) + R"(","skipped":true,"skip_message":"no"})");
  const auto result = read(document(rows));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::too_large);
}

TEST(GoogleBenchmark, WhatASuiteSaysOfABenchmarkIsCut) {
  const std::string row =
      R"({"name":"a","error_occurred":true,"error_message":")" + std::string(100'000, 'x') + R"("})";
  const auto result = read(document({row}));
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_EQ(result->series[0].error.size(), limits::kSaidTextMax);
}

TEST(GoogleBenchmark, ACountOfRepetitionsBeyondAnyIsNone) {
  const auto result =
      read(document({row("a", 0, R"("repetitions":1e300,"real_time":2,"cpu_time":1,"time_unit":"us")")}));
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_EQ(result->repetition[0].repetitions, 1);
}

TEST(GoogleBenchmark, SamplesStandInTheOrderOfTheirIndex) {
  const auto result = read(document({row("a", 1, R"("real_time":2,"cpu_time":1,"time_unit":"us")"),
                                     row("a", 0, R"("real_time":1,"cpu_time":1,"time_unit":"ms")"),
                                     row("a", 2, R"("real_time":3,"cpu_time":1,"time_unit":"s")")}));
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_THAT(result->series[0].samples_ns, ElementsAre(1e6, 2e3, 3e9));
}

TEST(GoogleBenchmark, TheConfigurationIsAWordOfTheLabel) {
  const auto chosen = [](const std::string& label) {
    const std::string rest = R"("real_time":1,"cpu_time":1,"time_unit":"ns","label":")" + label + '"';
    const auto result = read(document({row("a", 0, rest)}));
    return result ? result->series.at(0).configuration : to_string(result.error());
  };
  EXPECT_EQ(chosen("grid 1x1x1 smem 0 configuration=wgmma/64x512x64"), "wgmma/64x512x64");
  EXPECT_EQ(chosen("configuration=dense more"), "dense");
  for (const std::string& label : {std::string(), std::string("dense"), std::string("my-configuration=dense"),
                                   std::string("configuration=a=b"), "configuration=" + std::string(129, 'x')})
    EXPECT_EQ(chosen(label), "") << label;
}

TEST(GoogleBenchmark, TimesThatAreNotPositiveAreRefused) {
  for (const char* time : {"0", "-1", "NaN", "Infinity", "-Infinity", "null", "\"5\"", "1e400"}) {
    const auto result = read(document({row("a", 0, std::string(R"("real_time":)") + time)}));
    if (result) {
      EXPECT_THAT(result->series.at(0).error, HasSubstr("not a positive number")) << time;
      EXPECT_THAT(result->series.at(0).samples_ns, IsEmpty()) << time;
    } else {
      EXPECT_EQ(result.error().code, Errc::corrupt) << time;
    }
  }
}

TEST(GoogleBenchmark, RowsBeforeABareWordCountOnce) {
  const std::string time = R"("real_time":5,"cpu_time":5,"time_unit":"ns")";
  const auto result = read(document({row("a", 0, time), row("a", 1, time + R"(,"rate":NaN)"), row("a", 2, time)}));
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_EQ(result->series.at(0).error, "");
  EXPECT_THAT(result->series[0].samples_ns, ElementsAre(5, 5, 5));
}

TEST(GoogleBenchmark, TimesThatNothingTakesAreRefused) {
  const auto error_of = [](const std::string& time) {
    const auto result = read(document({row("a", 0, R"("real_time":)" + time + R"(,"time_unit":"ns")")}));
    return result ? result->series.at(0).error : to_string(result.error());
  };
  EXPECT_THAT(error_of("1e300"), HasSubstr("of 1e+300 ns is over a day"));
  EXPECT_THAT(error_of("1e-300"), HasSubstr("of 1e-300 ns is below 1e-06 ns"));
  EXPECT_EQ(error_of("8.64e13"), "");
  EXPECT_EQ(error_of("1e-6"), "");
}

TEST(GoogleBenchmark, TheFirstErrorOfASeriesStands) {
  const std::string bad = R"({"name":"a","run_type":"iteration","real_time":0,"time_unit":"ns"})";
  const auto result = read(document({bad, bad, bad}));  // old versions number no repetitions
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_THAT(result->series.at(0).error, HasSubstr("not a positive number"));
}

TEST(GoogleBenchmark, AggregatesOnlyIsANamedError) {
  const auto result = read(document({R"({"run_name":"a","run_type":"aggregate","aggregate_name":"mean"})"}));
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().what, HasSubstr("aggregates only"));
}

TEST(GoogleBenchmark, DamagedTextIsANamedError) {
  const std::string whole = document({row("a", 0, R"("real_time":1)")});
  struct Case {
    std::string text;
    const char* what;
  };
  for (const Case& c :
       {Case{"", "empty"}, Case{" \n", "empty"}, Case{whole.substr(0, whole.size() / 2), "in the middle"},
        Case{"hello", "not JSON"}, Case{"{}", "no \"benchmarks\""}, Case{"[1]", "no \"benchmarks\""},
        Case{document({}), "no benchmark"}, Case{document({"{}"}), "has no name"}, Case{whole + "x", "not JSON"},
        Case{document({row("a\xff", 0, "\"real_time\":1")}), "not JSON"},
        Case{document({row("a", 0, R"("real_time":1,"time_unit":"fortnight")")}), "time unit"}}) {
    const auto result = read(c.text);
    ASSERT_FALSE(result) << c.text;
    EXPECT_THAT(to_string(result.error()), HasSubstr(c.what)) << c.text;
    EXPECT_EQ(result.error().where, "result.json");
  }
}

TEST(GoogleBenchmark, TextAroundTheResultOnStdoutIsPassedOver) {
  ReadOptions options;
  options.from_stdout = true;
  const std::string whole = document({row("a", 0, R"("real_time":1)")});
  for (const std::string& text :
       {"warning: {not this}\nCPU scaling {on}\n" + whole, whole + "\nbye {\n", "\x1b[0;31m" + whole}) {
    const auto result = read(text, options);
    ASSERT_TRUE(result) << to_string(result.error());
    EXPECT_THAT(result->series[0].samples_ns, ElementsAre(1));
  }
  EXPECT_FALSE(read("nothing at all\n", options));
}

TEST(GoogleBenchmark, OfADeadProgramTheFinishedBenchmarksAreRead) {
  const std::string two = R"("real_time":1,"repetitions":2)";
  const std::string whole = document({row("a", 0, two), row("a", 1, two), row("b", 0, two), row("b", 1, two)});
  ReadOptions options;
  options.partial = true;
  const auto result = read(whole.substr(0, whole.rfind("\"b\"") - 40), options);
  ASSERT_TRUE(result) << to_string(result.error());
  ASSERT_THAT(result->series, SizeIs(1));
  EXPECT_THAT(result->series[0].samples_ns, SizeIs(2));
  EXPECT_TRUE(read("", options).has_value());
}

TEST(GoogleBenchmark, TwoBenchmarksOfOneNameAreNotMixed) {
  const auto result = read(
      document({row("a", 0, R"("real_time":1,"family_index":0)"), row("a", 0, R"("real_time":9,"family_index":1)")}));
  ASSERT_TRUE(result);
  EXPECT_THAT(result->series[0].error, HasSubstr("two benchmarks of this name"));
}

TEST(GoogleBenchmark, LimitsAreNamed) {
  const auto long_name = read(document({row(std::string(600, 'x'), 0, R"("real_time":1)")}));
  ASSERT_FALSE(long_name);
  EXPECT_EQ(long_name.error().code, Errc::too_large);
  std::vector<std::string> rows;
  for (int i = 0; i <= limits::kBenchmarksPerSuiteMax; ++i)
    rows.push_back(row("b" + std::to_string(i), 0, R"("real_time":1)"));
  const auto many = read(document(rows));
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().code, Errc::too_large);
}

TEST(GoogleBenchmark, FirstSamplesCanBeDropped) {
  Series series;
  series.samples_ns = {9, 8, 1, 2};
  drop_first(series, 2);
  EXPECT_THAT(series.samples_ns, ElementsAre(1, 2));
  drop_first(series, 5);
  EXPECT_THAT(series.samples_ns, IsEmpty());
}

TEST(GoogleBenchmark, ListKeepsEachNameOnce) {
  const auto names = read_benchmark_list("a\r\nb/1\na\n\n", "list");
  ASSERT_TRUE(names);
  EXPECT_THAT(*names, ElementsAre("a", "b/1"));
}

}  // namespace google_benchmark_test
}  // namespace kernelgate::suite

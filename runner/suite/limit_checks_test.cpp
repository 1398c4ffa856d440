// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/limit_checks.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "core/units/limits.hpp"
#include "runner/suite/dialect.hpp"
#include "runner/suite/google_benchmark.hpp"
#include "runner/suite/nvbench.hpp"
#include "runner/suite/pytest_benchmark.hpp"

namespace kernelgate::suite {
namespace limit_checks_test {

using testing::HasSubstr;

TEST(LimitChecks, HoldToTheEdge) {
  EXPECT_TRUE(check_name(std::string(limits::kBenchmarkNameMax, 'n'), "o"));
  EXPECT_EQ(check_name(std::string(limits::kBenchmarkNameMax + 1, 'n'), "o").error().code, Errc::too_large);
  EXPECT_EQ(check_name("", "o").error().code, Errc::corrupt);
  EXPECT_TRUE(check_room(limits::kBenchmarksPerSuiteMax - 1, "o"));
  EXPECT_EQ(check_room(limits::kBenchmarksPerSuiteMax, "o").error().code, Errc::too_large);
  EXPECT_TRUE(check_samples(limits::kSamplesPerSeriesMax, "b", "o"));
  EXPECT_EQ(check_samples(limits::kSamplesPerSeriesMax + 1, "b", "o").error().code, Errc::too_large);
}

TEST(LimitChecks, ATimeIsPositiveAndUnderADay) {
  for (const double good : {limits::kIterationNsMin, 1.0, limits::kIterationNsMax}) EXPECT_EQ(wrong_time(good), "");
  for (const double bad : {0.0, -0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()})
    EXPECT_EQ(wrong_time(bad), "is not a positive number") << bad;
  EXPECT_THAT(wrong_time(std::nextafter(limits::kIterationNsMax, 1e300)), HasSubstr("over a day"));
  EXPECT_THAT(wrong_time(std::nextafter(limits::kIterationNsMin, 0)), HasSubstr("which nothing takes"));
}

// One suite in each format: `count` benchmarks, each with the same name length and repetitions.
std::string google(std::size_t count, std::size_t name, std::size_t samples) {
  std::string out = R"({"context":{},"benchmarks":[)";
  for (std::size_t b = 0; b < count; ++b)
    for (std::size_t i = 0; i < samples; ++i) {
      const std::string number = std::to_string(b);
      out += out.back() == '[' ? "" : ",";
      out += R"({"name":")" + number + std::string(name - number.size(), 'n') + R"(","run_type":"iteration",)" +
             R"("repetition_index":)" + std::to_string(i) + R"(,"real_time":1,"time_unit":"ns"})";
    }
  return out + "]}";
}

std::string pytest(std::size_t count, std::size_t name, std::size_t samples) {
  std::string out = R"({"machine_info":{},"benchmarks":[)";
  for (std::size_t b = 0; b < count; ++b) {
    const std::string number = std::to_string(b);
    out += out.back() == '[' ? "" : ",";
    out += R"({"fullname":")" + number + std::string(name - number.size(), 'n') + R"(","stats":{"data":[1)";
    for (std::size_t i = 1; i < samples; ++i) out += ",1";
    out += "]}}";
  }
  return out + "]}";
}

struct Format {
  const char* name;
  SuiteFormat format;
  std::string (*suite)(std::size_t count, std::size_t name, std::size_t samples);
};
void PrintTo(const Format& each, std::ostream* out) { *out << each.name; }

class FormatLimits : public testing::TestWithParam<Format> {};

TEST_P(FormatLimits, AreMetAndNotPassed) {
  const auto [format_name, format, suite] = GetParam();
  struct Edge {
    std::size_t count, name, samples;
  };
  constexpr std::size_t kCount = limits::kBenchmarksPerSuiteMax, kName = limits::kBenchmarkNameMax;
  const auto read = [&](const Edge& edge) {
    return read_result(format, suite(edge.count, edge.name, edge.samples), {}, "o");
  };
  for (const Edge& inside : {Edge{kCount, 8, 1}, Edge{1, kName, 2}}) {
    const auto result = read(inside);
    ASSERT_TRUE(result) << to_string(result.error());
    EXPECT_EQ(result->series.size(), inside.count);
    EXPECT_EQ(result->series.back().samples_ns.size(), inside.samples);
    EXPECT_EQ(result->series.back().benchmark.size(), inside.name);
  }
  for (const Edge& outside : {Edge{kCount + 1, 8, 1}, Edge{1, kName + 1, 2}}) {
    const auto result = read(outside);
    ASSERT_FALSE(result) << outside.count << " " << outside.name;
    EXPECT_EQ(result.error().code, Errc::too_large);
    EXPECT_EQ(result.error().where, "o");
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, FormatLimits,
                         testing::Values(Format{"google", SuiteFormat::google_benchmark, google},
                                         Format{"pytest", SuiteFormat::pytest_benchmark, pytest}),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(PytestBenchmark, ASeriesHasALimit) {
  EXPECT_TRUE(read_pytest_benchmark(pytest(1, 4, limits::kSamplesPerSeriesMax), {}, "o"));
  const auto over = read_pytest_benchmark(pytest(1, 4, limits::kSamplesPerSeriesMax + 1), {}, "o");
  ASSERT_FALSE(over);
  EXPECT_EQ(over.error().code, Errc::too_large);
}

// Two axes whose values multiply to `a` times `b` states.
std::string axes(int a, int b) {
  const auto axis = [](const char* name, int count) {
    std::string out = std::string(R"({"name":")") + name + R"(","flags":"","values":[)";
    for (int i = 0; i < count; ++i) out += (i == 0 ? "" : ",") + (R"({"input_string":")" + std::to_string(i) + R"("})");
    return out + "]}";
  };
  return R"({"benchmarks":[{"name":"b","axes":[)" + axis("A", a) + "," + axis("B", b) + "]}]}";
}

TEST(NvbenchList, CombinationsHaveALimit) {
  const auto most = read_nvbench_list(axes(limits::kBenchmarksPerSuiteMax / 2, 2), "o");
  ASSERT_TRUE(most) << to_string(most.error());
  EXPECT_EQ(most->size(), static_cast<std::size_t>(limits::kBenchmarksPerSuiteMax));
  EXPECT_EQ(most->front(), "b/A=0/B=0");
  EXPECT_EQ(most->back(), "b/A=" + std::to_string(limits::kBenchmarksPerSuiteMax / 2 - 1) + "/B=1");
  EXPECT_EQ(read_nvbench_list(axes(limits::kBenchmarksPerSuiteMax / 2 + 1, 2), "o").error().code, Errc::too_large);
  EXPECT_TRUE(read_nvbench_list(axes(3, 0), "o")->empty()) << "an axis without values leaves no state";
}

struct Listed {
  const char* name;
  Result<std::vector<std::string>> (*read)(std::string_view, const std::string&);
  const char* suffix;
};
void PrintTo(const Listed& each, std::ostream* out) { *out << each.name; }

class ListLimits : public testing::TestWithParam<Listed> {};

TEST_P(ListLimits, AreMetAndNotPassed) {
  const Listed& format = GetParam();
  const auto listed = [&](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += std::to_string(i) + format.suffix + "\r\n";
    return format.read(text, "o");
  };
  ASSERT_TRUE(listed(limits::kBenchmarksPerSuiteMax));
  EXPECT_EQ(listed(limits::kBenchmarksPerSuiteMax)->size(), static_cast<std::size_t>(limits::kBenchmarksPerSuiteMax));
  EXPECT_EQ(listed(limits::kBenchmarksPerSuiteMax + 1).error().code, Errc::too_large);
  const std::string name = std::string(limits::kBenchmarkNameMax - std::string_view(format.suffix).size(), 'n');
  EXPECT_EQ(format.read(name + format.suffix, "o").value(), std::vector{name + format.suffix});
  EXPECT_EQ(format.read("n" + name + format.suffix, "o").error().code, Errc::too_large);
}

INSTANTIATE_TEST_SUITE_P(Formats, ListLimits,
                         testing::Values(Listed{"google", read_benchmark_list, "/b"},
                                         Listed{"pytest", read_pytest_list, "::test"}),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace limit_checks_test
}  // namespace kernelgate::suite

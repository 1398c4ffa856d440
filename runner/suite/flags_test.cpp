// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/flags.hpp"

#include <gmock/gmock.h>

#include <regex>

namespace kernelgate::suite {
namespace flags_test {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

bool matches(const std::vector<std::string>& chosen, const std::string& name) {
  return std::regex_search(name, std::regex(exact_filter(chosen), std::regex::extended));
}

TEST(Flags, FilterMatchesExactlyTheNamesGiven) {
  const std::vector<std::string> names{
      "gemm/8192/bs:64/density:0.125", "f<int, 3>(x)[2]{a}", "a|b", "^x$", "1+1*2?", "quote\"back\\slash", "größe µ"};
  for (const auto& name : names) {
    EXPECT_TRUE(matches({name}, name)) << name;
    EXPECT_TRUE(matches(names, name)) << name;
    EXPECT_FALSE(matches({name}, name + "0")) << name;
  }
  EXPECT_FALSE(matches({"density:0.125"}, "density:0x125"));
  EXPECT_FALSE(matches({"a", "b"}, "ab"));
}

TEST(Flags, SpellsTheLeastTimeAsTheProgramKnowsIt) {
  StartFlags start;
  start.sample_ms = 0.5;
  start.out = "/dev/fd/3";
  EXPECT_THAT(start_flags(start), Contains("--benchmark_min_time=0.000500"));
  start.min_time = MinTime::suffixed;
  EXPECT_THAT(start_flags(start), Contains("--benchmark_min_time=0.000500s"));
  start.min_time = MinTime::absent;
  EXPECT_THAT(start_flags(start), Not(Contains(StartsWith("--benchmark_min_time"))));
  EXPECT_THAT(start_flags(start), Not(Contains(StartsWith("--benchmark_filter"))));
  EXPECT_THAT(list_flags(MinTime::plain, 20),
              ElementsAre("--benchmark_list_tests=true", "--benchmark_min_time=0.020000"));
}

TEST(Flags, LongListsAreCutBelowTheLimitOfOneArgument) {
  std::vector<std::string> names;
  for (int i = 0; i < 2000; ++i) names.push_back(std::string(100, 'x') + "/" + std::to_string(i));
  std::vector<std::string> joined;
  const auto parts = split_for_filter(names);
  EXPECT_GT(parts.size(), 1U);
  for (const auto& part : parts) {
    EXPECT_LT(exact_filter(part).size(), 100000U);
    joined.insert(joined.end(), part.begin(), part.end());
  }
  EXPECT_EQ(joined, names);
  EXPECT_THAT(split_for_filter({}), IsEmpty());
}

TEST(Flags, WarmUpDropsThreeRepetitionsAndFiftyMilliseconds) {
  struct Case {
    double sample_ms;
    std::size_t benchmarks;
    double longest_ms;
    int dropped, timed;
  };
  for (const Case& c : {Case{20, 1, 0, 3, 9}, Case{0.5, 1, 0, 100, 9}, Case{0.5, 10, 0, 10, 9}, Case{0.5, 100, 0, 3, 9},
                        Case{0.5, 1, 60, 3, 5}, Case{10, 1, 0, 5, 9}}) {
    const auto plan = plan_repetitions(c.sample_ms, c.benchmarks, c.longest_ms);
    EXPECT_EQ(plan.dropped, c.dropped) << c.sample_ms << " ms, " << c.benchmarks;
    EXPECT_EQ(plan.timed, c.timed) << c.sample_ms << " ms, longest " << c.longest_ms;
  }
}

}  // namespace flags_test
}  // namespace kernelgate::suite

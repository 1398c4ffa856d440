// SPDX-License-Identifier: Apache-2.0
#include "commands/compare/recorded_order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "commands/compare/compare.hpp"

namespace kernelgate::local {
namespace recorded_order_test {

TEST(RecordedAt, IsReadFromEitherFormat) {
  struct Case {
    const char* text;
    std::optional<std::int64_t> want;
  };
  for (const Case& c :
       {Case{R"({"context":{"caches":[{"date":1}],"date":"1970-01-01T00:01:00+00:00"},"benchmarks":[]})", 60'000},
        Case{R"(words {"context":{"date":"1970-01-01T02:01:00+02:00"}})", 60'000},
        Case{R"({"machine_info":{"datetime":"x"},"datetime":"1970-01-01T00:01:00.676006"})", 60'000},
        Case{R"({"context":{"date":"yesterday"}})", std::nullopt}, Case{R"({"context":{"date":7}})", std::nullopt},
        Case{R"({"benchmarks":[{"date":"1970-01-01T00:01:00Z"}]})", std::nullopt}, Case{"{", std::nullopt},
        Case{"", std::nullopt}})
    EXPECT_EQ(recorded_at_ms(c.text), c.want) << c.text;
}

std::vector<Process> recorded(const std::vector<std::int64_t>& times) {
  std::vector<Process> out(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) out[i].started_at_ms = times[i];
  return out;
}

TEST(RecordedOrder, OnlyNeighboursProve) {
  EXPECT_EQ(why_unproven(recorded({1, 4, 5}), recorded({2, 3, 6})), "") << "A B B A A B";
  EXPECT_EQ(why_unproven(recorded({1, 1, 1}), recorded({1, 1, 1})), "") << "within the second that files tell";
  EXPECT_NE(why_unproven(recorded({1, 2, 3}), recorded({4, 5, 6})), "") << "base, then head";
  EXPECT_NE(why_unproven(recorded({4, 5}), recorded({1, 2})), "") << "head, then base";
  EXPECT_EQ(why_unproven(recorded({1}), recorded({4})), "");
  EXPECT_EQ(why_unproven(recorded({1, 2, 0}), recorded({4, 5, 6})), "") << "one file says no time";
}

// Four files a side of one benchmark, head `ratio` times slower, by the minute in turn or base first.
class RecordedFiles : public testing::Test {
 protected:
  RecordedFiles() {
    std::string name = (std::filesystem::temp_directory_path() / "kg-order-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~RecordedFiles() override { std::filesystem::remove_all(folder_); }

  CompareRequest recorded(bool in_turn, double ratio) {
    CompareRequest out;
    for (int i = 0; i < 4; ++i) {
      out.base.push_back(file(in_turn ? 2 * i : i, 2));
      out.head.push_back(file(in_turn ? 2 * i + 1 : 4 + i, 2 * ratio));
    }
    return out;
  }

  static Comparison only(const CompareRequest& request) { return compare_files(request).value().comparisons.at(0); }

 private:
  std::filesystem::path file(int minute, double ms) {
    const std::filesystem::path path = folder_ / (std::to_string(count_++) + ".json");
    std::ofstream(path) << R"({"context":{"date":"2026-11-21T11:1)" << minute
                        << R"(:00+00:00"},"benchmarks":[{"name":"gemm","run_type":"iteration","iterations":9,)"
                        << R"("real_time":)" << ms * (1 + 0.0001 * (count_ % 3))
                        << R"(,"cpu_time":1,"time_unit":"ms"}]})";
    return path;
  }

  std::filesystem::path folder_;
  int count_ = 0;
};

TEST_F(RecordedFiles, ProveNoChangeUnlessRecordedInTurn) {
  EXPECT_EQ(only(recorded(true, 1.2)).verdict, Verdict::regressed);
  CompareRequest blocks = recorded(false, 1.2);
  const Comparison open = only(blocks);
  EXPECT_EQ(open.verdict, Verdict::undecided);
  EXPECT_THAT(open.reason, testing::StartsWith("base and head were recorded one after the other"));
  EXPECT_EQ(only(recorded(false, 0.8)).verdict, Verdict::undecided);
  EXPECT_EQ(only(recorded(false, 1)).verdict, Verdict::unchanged);
  blocks.blocks_prove = true;
  EXPECT_EQ(only(blocks).verdict, Verdict::regressed);
  EXPECT_THAT(compare_files(blocks)->notices, testing::Contains(testing::HasSubstr("alternate the runs")));
}

}  // namespace recorded_order_test
}  // namespace kernelgate::local

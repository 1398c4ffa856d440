// SPDX-License-Identifier: Apache-2.0
#include "runner/code/profile.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace kernelgate::gpu {
namespace profile_test {

using testing::HasSubstr;
using testing::SizeIs;

// What ncu 2025.3 printed on an H200 for one benchmark of kernels/softmax, columns of the GPU and the driver left out.
std::string golden() {
  std::ifstream file(std::string(KG_GOLDEN) + "/ncu/h200_softmax.txt");
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ProfilePage, TheKernelThatTookLongestComesFirst) {
  const auto kernels = parse_profile(golden());
  ASSERT_TRUE(kernels);
  ASSERT_THAT(*kernels, SizeIs(3));
  const KernelProfile& softmax = kernels->front();
  EXPECT_THAT(softmax.kernel, HasSubstr("softmax_kernel(const float *"));
  EXPECT_EQ(softmax.counters.at("gpu__time_duration.sum"), 7104);
  EXPECT_EQ(softmax.counters.at("lts__t_sector_hit_rate.pct"), 54.47);
  EXPECT_EQ(softmax.counters.at("l1tex__data_bank_conflicts_pipe_lsu.sum"), 96);
  EXPECT_EQ(softmax.counters.at("sm__inst_executed_pipe_tensor.sum"), 4220);
  EXPECT_EQ(softmax.counters.at("sm__warps_active.avg.pct_of_peak_sustained_active"), 38.79);
  EXPECT_EQ(softmax.counters.count("launch__stream_id"), 0U);
}

TEST(ProfilePage, LaunchesOfAKernelGiveTheirMedian) {
  const auto kernels = parse_profile(
      "words\n\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\"\n\"\",\"\",\"ns\"\n"
      "\"0\",\"k(int, \"\"x\"\")\",\"1,000\"\n"
      "\"1\",\"k(int, \"\"x\"\")\",\"4,000\"\n\"2\",\"k(int, \"\"x\"\")\",\"3,000\"\n");
  ASSERT_TRUE(kernels);
  ASSERT_THAT(*kernels, SizeIs(1));
  EXPECT_EQ(kernels->front().kernel, "k(int, \"x\")");
  EXPECT_EQ(kernels->front().counters.at("gpu__time_duration.sum"), 3000);
}

TEST(ProfilePage, ImpossibleCountersAreRefused) {
  const auto kernels = parse_profile(
      "\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\",\"lts__t_sector_hit_rate.pct\",\"dram__bytes.sum\"\n"
      "\"0\",\"k\",\"1000\",\"450.5\",\"7\"\n\"1\",\"k\",\"1000\",\"54\",\"7\"\n"
      "\"2\",\"full\",\"10\",\"100.02\",\"7\"\n\"3\",\"minus\",\"1\",\"-1\",\"-7\"\n");
  ASSERT_TRUE(kernels);
  ASSERT_THAT(*kernels, SizeIs(3));
  EXPECT_EQ((*kernels)[0].counters.count("lts__t_sector_hit_rate.pct"), 0U) << "one launch at 450.5 % refuses all";
  EXPECT_EQ((*kernels)[0].counters.at("dram__bytes.sum"), 7);
  EXPECT_EQ((*kernels)[1].counters.at("lts__t_sector_hit_rate.pct"), 100.02) << "rounding";
  EXPECT_THAT((*kernels)[2].counters, SizeIs(1));
}

TEST(ProfilePage, NoTableIsSaid) {
  for (const char* text : {"", "==WARNING== No kernels were profiled.\n", "\"ID\",\"Process ID\"\n\"0\",\"1\"\n"})
    EXPECT_EQ(parse_profile(text).error().code, Errc::unsupported) << text;
  EXPECT_THAT(*parse_profile("\"ID\",\"Kernel Name\"\n\"0\"\n\"\",\"\",\"\"\n"), SizeIs(0));
}

TEST(ProfilePage, OddTablesAreReadAsFarAsTheyGo) {
  const std::string head = "\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\"\n";
  for (const char* value : {"nan", "inf", "-inf", "1e999", "n/a", "", "0x", "1 2", "--5"}) {
    const auto kernels = parse_profile(head + "\"0\",\"k\",\"" + value + "\"\n");
    ASSERT_TRUE(kernels);
    ASSERT_THAT(*kernels, SizeIs(1)) << value;
    EXPECT_TRUE(kernels->front().counters.empty()) << value;
  }
  for (const char* row : {"\"0\",\"k\n", "\"0\",\"k\",\"1\",\"2\"\n", "\"0\",\"k", ",,\n", "\"\"\"\"\"\n", "\r\n\r\n"})
    EXPECT_THAT(*parse_profile(head + row), SizeIs(0)) << row;
  const std::string page = golden();
  for (std::size_t cut = 0; cut < page.size(); cut += 7) {
    const auto kernels = parse_profile(page.substr(0, cut));
    EXPECT_LE(kernels ? kernels->size() : 0, 3U) << cut;
  }
}

}  // namespace profile_test
}  // namespace kernelgate::gpu

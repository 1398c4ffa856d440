// SPDX-License-Identifier: Apache-2.0
#include "core/decision/regions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kernelgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Comparison row(const std::string& benchmark, Verdict verdict, double ratio) {
  Comparison out;
  out.benchmark = benchmark;
  out.verdict = verdict;
  out.ratio = ratio;
  out.pairs = 4;
  return out;
}

// gemm/<type>/bs:<size>/k:<k>; those that `slow` accepts are regressed by 4 %.
template <class Slow>
std::vector<Comparison> table(Slow slow) {
  std::vector<Comparison> out;
  for (const char* type : {"bf16", "fp8"})
    for (int size : {16, 32, 64})
      for (int k : {256, 512, 1024}) {
        const bool moved = slow(std::string(type), size, k);
        out.push_back(row("gemm/" + std::string(type) + "/bs:" + std::to_string(size) + "/k:" + std::to_string(k),
                          moved ? Verdict::regressed : Verdict::unchanged, moved ? 1.04 : 1.0));
      }
  return out;
}

TEST(Regions, OnePartThatMovesTogetherIsOneFinding) {
  const auto got =
      find_regions(table([](const std::string&, int size, int) { return size == 64; }), Verdict::regressed);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_THAT(got[0].parts, ElementsAre("bs:64"));
  EXPECT_EQ(got[0].members, 6);
  EXPECT_EQ(got[0].others_moved, 0);
  EXPECT_EQ(region_text(got[0]), "bs:64: 6 of 6 benchmarks regressed (median +4.00 %), 0 elsewhere");
}

TEST(Regions, TwoPartsTogether) {
  const auto got = find_regions(
      table([](const std::string& type, int size, int) { return type == "fp8" && size == 16; }), Verdict::regressed);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_THAT(got[0].parts, ElementsAre("bs:16", "fp8"));
}

TEST(Regions, WholeSuiteScatteredOrFewAreNoRegion) {
  EXPECT_THAT(find_regions(table([](const std::string&, int, int) { return true; }), Verdict::regressed), IsEmpty());
  EXPECT_THAT(find_regions(table([](const std::string&, int size, int k) { return size == 16 && k == 256; }),
                           Verdict::regressed),
              IsEmpty());
  EXPECT_THAT(find_regions(table([](const std::string&, int size, int k) { return (size / 16 + k / 256) % 2 == 0; }),
                           Verdict::regressed),
              IsEmpty());
  EXPECT_THAT(find_regions({}, Verdict::regressed), IsEmpty());
}

TEST(Regions, GainsAndLossesAreFoundApart) {
  std::vector<Comparison> rows = table([](const std::string&, int size, int) { return size == 64; });
  for (Comparison& comparison : rows)
    if (comparison.benchmark.find("bs:16") != std::string::npos) {
      comparison.verdict = Verdict::improved;
      comparison.ratio = 0.9;
    }
  ASSERT_EQ(find_regions(rows, Verdict::improved).size(), 1u);
  EXPECT_THAT(find_regions(rows, Verdict::improved)[0].parts, ElementsAre("bs:16"));
  EXPECT_THAT(find_regions(rows, Verdict::regressed)[0].parts, ElementsAre("bs:64"));
}

}  // namespace
}  // namespace kernelgate

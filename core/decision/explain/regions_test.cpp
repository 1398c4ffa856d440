// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/regions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/decision/evidence/name_parts.hpp"

namespace kernelgate {
namespace regions_test {

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
  EXPECT_EQ(got[0].text, "bs:64");
  EXPECT_EQ(got[0].members, 6);
  EXPECT_EQ(got[0].others_moved, 0);
  EXPECT_EQ(region_text(got[0]), "bs:64: 6 of 6 benchmarks regressed (median +4.00 %), 0 elsewhere");
}

TEST(Regions, TwoPartsTogether) {
  const auto got = find_regions(
      table([](const std::string& type, int size, int) { return type == "fp8" && size == 16; }), Verdict::regressed);
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(got[0].text, "bs:16, fp8");
}

TEST(Regions, ARangeOfASizeAndAWord) {
  const auto below = find_regions(table([](const std::string& type, int, int k) { return type == "bf16" && k < 1024; }),
                                  Verdict::regressed);
  ASSERT_EQ(below.size(), 1u);
  EXPECT_EQ(below[0].text, "bf16, k < 1024");
  EXPECT_EQ(below[0].members, 6);
  EXPECT_NEAR(below[0].median_ratio, 1.04, 1e-12);
  const auto from =
      find_regions(table([](const std::string&, int size, int) { return size >= 32; }), Verdict::regressed);
  ASSERT_EQ(from.size(), 1u);
  EXPECT_EQ(from[0].text, "bs >= 32");
}

// Sizes without a name, sizes of one tile, and a range with two ends.
TEST(Regions, SizesByPlaceAndOfTiles) {
  struct Case {
    bool (*slow)(int m, int width);
    const char* text;
  };
  const Case cases[] = {
      {[](int m, int) { return m >= 64 && m < 512; }, "64 <= part 2 < 512"},
      {[](int, int width) { return width < 64; }, "size 1 of part 3 < 64"},
      {[](int m, int width) { return m < 64 && width >= 64; }, "part 2 < 64, size 1 of part 3 >= 64"},
  };
  for (const Case& c : cases) {
    std::vector<Comparison> rows;
    for (int m : {16, 32, 64, 128, 256, 512, 1024})
      for (int width : {16, 32, 64, 128}) {
        const bool moved = c.slow(m, width);
        rows.push_back(row("gemm/" + std::to_string(m) + "/" + std::to_string(width) + "x8",
                           moved ? Verdict::regressed : Verdict::unchanged, moved ? 1.05 : 1));
      }
    const auto got = find_regions(rows, Verdict::regressed);
    ASSERT_EQ(got.size(), 1u) << c.text;
    EXPECT_EQ(got[0].text, c.text);
    EXPECT_EQ(got[0].others_moved, 0);
  }
}

TEST(Regions, ThousandsOfShapesAreSearched) {
  std::vector<Comparison> rows;
  for (int m = 0; m < 50; ++m)
    for (int n = 0; n < 40; ++n) {
      const bool moved = m >= 25 && n < 20;
      rows.push_back(
          row("gemm/m:" + std::to_string(m) + "/n:" + std::to_string(n) + "/case" + std::to_string(40 * m + n),
              moved ? Verdict::regressed : Verdict::unchanged, moved ? 1.05 : 1));
    }
  const auto got = find_regions(rows, Verdict::regressed);
  ASSERT_FALSE(got.empty());
  EXPECT_GE(got[0].moved, 450);  // ends of ranges are thinned: nearly all of the 500
  EXPECT_GE(got[0].moved, 0.9 * got[0].members);
}

TEST(NameParts, WordsAndSizes) {
  const NameParts parts = parse_name("gemm/bf16/K:256/n=4096/64x128/density:0.5/tile:8x4/gemm/1e9/:7");
  EXPECT_THAT(parts.words, testing::ElementsAre("gemm", "bf16", "K:256", "n=4096", "64x128", "density:0.5", "tile:8x4",
                                                "1e9", ":7"));
  std::vector<std::string> sizes;
  for (const NameSize& size : parts.sizes)
    sizes.push_back(size.dimension + "=" + std::to_string(size.value).substr(0, 5));
  EXPECT_THAT(sizes, testing::ElementsAre("K=256.0", "n=4096.", "size 1 of part 5=64.00", "size 2 of part 5=128.0",
                                          "density=0.500", "size 1 of tile=8.000", "size 2 of tile=4.000"));
  EXPECT_EQ(family_of("gemm/bf16"), "gemm");
  EXPECT_EQ(family_of("gemm"), "gemm");
  EXPECT_THAT(parse_name("").words, IsEmpty());
}

TEST(Regions, WholeSuiteScatteredOrFewAreNoRegion) {
  EXPECT_THAT(find_regions(table([](const std::string&, int, int) { return true; }), Verdict::regressed), IsEmpty());
  EXPECT_THAT(find_regions(table([](const std::string&, int size, int k) { return size == 16 && k == 256; }),
                           Verdict::regressed),
              IsEmpty());
  EXPECT_THAT(find_regions(table([](const std::string& type, int size, int k) {
                             return (size / 16 + k / 256 + (type == "fp8" ? 1 : 0)) % 2 == 0;
                           }),
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
  EXPECT_EQ(find_regions(rows, Verdict::improved)[0].text, "bs:16");
  EXPECT_EQ(find_regions(rows, Verdict::regressed)[0].text, "bs:64");
}

}  // namespace regions_test
}  // namespace kernelgate

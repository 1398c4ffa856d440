// SPDX-License-Identifier: Apache-2.0
#include "commands/bundle/same.hpp"

#include <gmock/gmock.h>

namespace kernelgate::bundle {
namespace same_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RunDecision decision() {
  Comparison one;
  one.suite = "s";
  one.benchmark = "b";
  one.verdict = Verdict::unchanged;
  one.reason = "words";
  one.pairs = 4;
  one.ratio = 1.0000123;
  one.sum_squares = 1e-6;
  one.looks = {{.pairs = 4, .mean = 1.23e-5, .se = 1e-3, .degrees = 3}};
  RunDecision out;
  out.conclusion = Conclusion::passed;
  out.comparisons = {one};
  out.workloads = {{.suite = "s", .name = "w", .verdict = Verdict::unchanged, .ratio = 1.01, .benchmarks = 2}};
  out.regions = {{.suite = "s", .text = "K < 512", .verdict = Verdict::regressed, .members = 4, .moved = 4}};
  return out;
}

TEST(SameFigure, HoldsToTwelveDigits) {
  EXPECT_TRUE(same_figure(123456789.0, 123456789.0 * (1 + 9e-13)));
  EXPECT_FALSE(same_figure(123456789.0, 123456789.0 * (1 + 2e-12)));
  EXPECT_TRUE(same_figure(1e-9, 1e-9 + 9e-14));  // what is left of a logarithm's last bits
  EXPECT_FALSE(same_figure(1e-9, 1e-9 + 2e-13));
  EXPECT_TRUE(same_figure(0, 0));
  EXPECT_FALSE(same_figure(0.001, -0.001));
}

TEST(Differences, WordsAndLastBitsAreNone) {
  const RunDecision stored = decision();
  RunDecision other = stored;
  other.comparisons[0].reason = "other words";
  other.notices = {"a notice"};
  *other.comparisons[0].ratio *= 1 + 1e-15;
  EXPECT_THAT(differences(stored, other), IsEmpty());
}

TEST(Differences, EachIsNamedWithItsBenchmark) {
  const RunDecision stored = decision();
  const auto with = [&](auto change) {
    RunDecision other = stored;
    change(other);
    return differences(stored, other);
  };
  EXPECT_THAT(with([](RunDecision& d) { d.conclusion = Conclusion::regressed; }),
              ElementsAre("the conclusion is regressed, was passed"));
  EXPECT_THAT(with([](RunDecision& d) { d.comparisons[0].verdict = Verdict::undecided; }),
              ElementsAre("s: b: verdict is undecided, was unchanged"));
  EXPECT_THAT(with([](RunDecision& d) { *d.comparisons[0].ratio += 1e-11; }), ElementsAre(HasSubstr("ratio is")));
  EXPECT_THAT(with([](RunDecision& d) { d.comparisons[0].ratio.reset(); }), ElementsAre("s: b: ratio is gone"));
  EXPECT_THAT(with([](RunDecision& d) { d.comparisons[0].looks[0].mean += 1e-12; }),
              ElementsAre(HasSubstr("look 1 mean is")));
  EXPECT_THAT(with([](RunDecision& d) { d.comparisons[0].looks.clear(); }),
              ElementsAre("s: b: the number of looks is 0, was 1"));
  EXPECT_THAT(with([](RunDecision& d) { d.comparisons.clear(); }), ElementsAre("s: b: is not judged"));
  EXPECT_THAT(with([](RunDecision& d) { d.comparisons.push_back({.suite = "s", .benchmark = "new"}); }),
              ElementsAre("s: new: was not judged"));
}

TEST(Differences, WorkloadsAndRegionsCountToo) {
  const RunDecision stored = decision();
  RunDecision other = stored;
  other.workloads[0].verdict = Verdict::regressed;
  EXPECT_THAT(differences(stored, other), ElementsAre("workload w: verdict is regressed, was unchanged"));
  other = stored;
  other.workloads[0].ratio = 1.5;
  other.regions[0].moved = 3;
  EXPECT_THAT(differences(stored, other),
              ElementsAre(HasSubstr("workload w: ratio"), HasSubstr("region K < 512: moved")));
  other.workloads.clear();
  other.regions.clear();
  EXPECT_THAT(differences(stored, other),
              ElementsAre("the workloads: their number is 0, was 1", "the regions: their number is 0, was 1"));
}

TEST(Differences, TheListEnds) {
  RunDecision many;
  for (int i = 0; i < 500; ++i) many.comparisons.push_back({.suite = "s", .benchmark = std::to_string(i)});
  EXPECT_EQ(differences(many, RunDecision{}).size(), 100u);
}

}  // namespace same_test
}  // namespace kernelgate::bundle

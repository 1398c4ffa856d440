// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/attribution.hpp"

#include <gmock/gmock.h>

#include "core/decision/explain/reason.hpp"

namespace kernelgate {
namespace attribution_test {

using testing::HasSubstr;
using testing::IsEmpty;

Process process(Side side, const std::string& configuration, const std::string& error = {}) {
  Process out;
  out.side = side;
  out.series = {{.benchmark = "a", .samples_ns = {1, 2}, .error = error, .configuration = configuration}};
  return out;
}

Comparison moved(double ratio, Verdict verdict = Verdict::regressed) {
  Comparison out;
  out.benchmark = "a";
  out.verdict = verdict;
  out.pairs = 4;
  out.ratio = ratio;
  out.ratio_low = ratio - 0.01;
  out.ratio_high = ratio + 0.01;
  return out;
}

PinnedResult pinned(double ratio, Verdict verdict, Side side = Side::head) {
  return {.benchmark = "a",
          .pinned = side,
          .configuration = "wide",
          .pairs = 6,
          .ratio = ratio,
          .ratio_low = ratio - 0.01,
          .ratio_high = ratio + 0.01,
          .verdict = verdict};
}

std::string sentence(double ratio, const std::vector<PinnedResult>& results) {
  SuiteEvidence suite;
  suite.processes = {process(Side::base, "wide"), process(Side::head, "narrow")};
  suite.pinned = results;
  std::vector<Comparison> comparisons = {moved(ratio)};
  add_attribution(suite, comparisons);
  EXPECT_EQ(comparisons[0].verdict, Verdict::regressed);
  return comparisons[0].attribution;
}

TEST(Choices, AreWhatMostProcessesRan) {
  const std::vector<Process> processes = {process(Side::base, "narrow"), process(Side::base, "wide"),
                                          process(Side::base, "wide"),   process(Side::head, "narrow"),
                                          process(Side::head, "wide"),   process(Side::head, "wide", "it failed"),
                                          process(Side::head, "")};
  const Choices choices(processes);
  EXPECT_EQ(choices.of("a", Side::base), "wide");
  EXPECT_EQ(choices.of("a", Side::head), "narrow");
  EXPECT_EQ(choices.of("b", Side::head), "");
}

TEST(Attribution, SaysWhatMadeTheDifference) {
  EXPECT_EQ(sentence(1.2, {pinned(1.002, Verdict::unchanged)}),
            "narrow was chosen instead of wide: with base's configuration pinned head is +0.20 % [-0.80 % .. +1.20 %] "
            "after 6 pairs: the choice made the difference, not the kernel");
  struct Case {
    double pinned_ratio;
    Verdict verdict;
    const char* says;
  };
  for (const Case& one : {Case{1.195, Verdict::regressed, "the kernel made the difference, not the choice"},
                          Case{1.4, Verdict::regressed, "the kernel made the difference, not the choice"},
                          Case{1.1, Verdict::regressed, "both made it"},
                          Case{0.9, Verdict::improved, "the kernel alone goes the other way"},
                          Case{1.01, Verdict::undecided, "too few pairs"}})
    EXPECT_THAT(sentence(1.2, {pinned(one.pinned_ratio, one.verdict)}), HasSubstr(one.says)) << one.pinned_ratio;
}

TEST(Attribution, SaysWhyNothingCouldBePinned) {
  PinnedResult refused = pinned(1, Verdict::undecided);
  refused.failure = "head ran narrow, not wide";
  const std::string said = sentence(1.2, {refused, pinned(1.2, Verdict::regressed, Side::base)});
  EXPECT_THAT(said, HasSubstr("base's configuration could not be pinned: head ran narrow, not wide; with head's "
                              "configuration pinned on both sides head is +20.00 %"));
  EXPECT_THAT(sentence(1.2, {}), IsEmpty());
}

TEST(Attribution, IsAskedForWhatMovedWithAnotherChoice) {
  std::vector<Comparison> all = {moved(1.05), moved(1.2), moved(1, Verdict::unchanged), moved(1.3), moved(1.4)};
  for (Comparison& one : all) one.base_configuration = one.head_configuration = "wide";
  all[0].head_configuration = all[1].head_configuration = all[2].head_configuration = "narrow";
  all[4].head_configuration = "";
  const std::vector<Comparison> wanted = moved_with_choice(all);
  ASSERT_EQ(wanted.size(), 2U);
  EXPECT_EQ(wanted[0].ratio, 1.2);
  EXPECT_EQ(wanted[1].ratio, 1.05);
}

TEST(Attribution, TheConfigurationIsPartOfTheEvidence) {
  Comparison one = moved(1);
  EXPECT_EQ(evidence_text(one), "");
  one.head_configuration = "wide";
  EXPECT_EQ(evidence_text(one), "configuration none -> wide");
  one.base_configuration = "narrow";
  EXPECT_EQ(evidence_text(one), "configuration narrow -> wide");
  one.base_configuration = "wide";
  EXPECT_EQ(evidence_text(one), "configuration wide");
  one.attribution = "the kernel";
  EXPECT_EQ(evidence_text(one), "the kernel");
}

}  // namespace attribution_test
}  // namespace kernelgate

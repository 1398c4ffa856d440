// SPDX-License-Identifier: Apache-2.0
#include "core/bisect/search.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <set>

namespace kernelgate::bisect {
namespace search_test {

using testing::ElementsAre;
using testing::HasSubstr;
using Measure = std::function<Reading(const Step&)>;

Reading timed(double ratio, bool slower) {
  Reading out{.kind = ReadingKind::timed, .why = {}};
  out.mean = std::log(ratio);
  out.half_width = 0.005;
  out.slower = slower;
  out.settled = !slower;
  return out;
}
Reading unusable() { return {.kind = ReadingKind::unusable, .why = "does not build"}; }
Reading trouble() { return {.kind = ReadingKind::trouble, .why = "infrastructure: the runner was lost"}; }

struct Outcome {
  Next next;
  std::vector<Observation> seen;
};

Outcome search(int commits, const Measure& measure) {
  Outcome out;
  while (true) {
    out.next = next_step(commits, out.seen);
    if (!out.next.step) return out;
    out.seen.push_back({*out.next.step, measure(*out.next.step)});
  }
}

// A step of +12 % at `culprit`.
Reading slower_from(int culprit, const Step& step) {
  const bool differs = step.head >= culprit && step.base < culprit;
  return timed(differs ? 1.12 : 1.0, differs);
}

TEST(Search, FindsEachCulpritInEightComparisonsOf64Commits) {
  for (int culprit = 1; culprit <= 64; ++culprit) {
    const Outcome found = search(65, [&](const Step& step) { return slower_from(culprit, step); });
    EXPECT_EQ(found.next.end, Ending::culprit);
    EXPECT_EQ(found.next.high, culprit);
    EXPECT_EQ(found.seen.back().step, (Step{culprit, culprit - 1, true}));
    EXPECT_LE(comparisons_of(found.seen), 8);
  }
}

TEST(Search, NothingIsLookedForWhereGoodAndBadAreAlike) {
  const Outcome found = search(65, [](const Step&) { return timed(1.001, false); });
  EXPECT_EQ(found.next.end, Ending::no_difference);
  EXPECT_EQ(found.seen.size(), 1U);
}

TEST(Search, AnEndThatCanNotBeMeasuredEndsIt) {
  EXPECT_EQ(search(9, [](const Step&) { return unusable(); }).next.end, Ending::unusable_end);
  const Outcome away = search(9, [](const Step&) { return trouble(); });
  EXPECT_EQ(away.next.end, Ending::unusable_end);
  EXPECT_EQ(away.seen.size(), 3U) << "trouble is worth another try";
  EXPECT_THAT(away.next.why, HasSubstr("the runner was lost"));
}

TEST(Search, CommitsThatDoNotBuildAreNeverTakenForAResult) {
  const std::set<int> unbuilt{30, 31, 32, 33, 34};
  const Outcome found =
      search(65, [&](const Step& step) { return unbuilt.count(step.head) > 0 ? unusable() : slower_from(20, step); });
  EXPECT_EQ(found.next.end, Ending::culprit);
  EXPECT_EQ(found.next.high, 20);
}

TEST(Search, NeighboursThatCanNotBeMeasuredMakeARange) {
  const Outcome found = search(
      65, [&](const Step& step) { return step.head == 39 || step.head == 40 ? unusable() : slower_from(40, step); });
  EXPECT_EQ(found.next.end, Ending::range);
  EXPECT_EQ(found.next.low, 38);
  EXPECT_EQ(found.next.high, 41);
  EXPECT_THAT(found.next.skipped, ElementsAre(39, 40));
  std::vector<std::string> names;
  for (int i = 0; i < 65; ++i) names.push_back("c" + std::to_string(i));
  EXPECT_THAT(describe(found.next, names), HasSubstr("one of 3 commits, c39 to c41"));
}

TEST(Search, TroubleIsTriedAgainWhenNothingElseIsLeft) {
  std::set<int> met;
  const Outcome found = search(65, [&](const Step& step) {
    const bool first = step.head == 21 && met.insert(step.head).second;
    return first ? trouble() : slower_from(22, step);
  });
  EXPECT_EQ(found.next.end, Ending::culprit);
  EXPECT_EQ(found.next.high, 22);
}

TEST(Search, AnUnsureStepGetsMoreRunsAndIsThenLeftOut) {
  const Outcome found = search(65, [&](const Step& step) {
    if (step.head != 32) return slower_from(20, step);
    Reading wide = timed(1.06, false);
    wide.half_width = 0.2;
    wide.settled = false;
    return wide;
  });
  EXPECT_EQ(found.next.end, Ending::culprit);
  EXPECT_EQ(found.next.high, 20);
  int asked = 0;
  for (const Observation& one : found.seen) asked += one.step.head == 32 ? 1 : 0;
  EXPECT_EQ(asked, 3);
}

TEST(Search, ASmallerStepBeforeItIsNotTheCulprit) {
  const Outcome found = search(65, [](const Step& step) {
    const auto level = [](int i) { return i >= 50 ? 1.15 : i >= 10 ? 1.03 : 1.0; };
    const double ratio = level(step.head) / level(step.base);
    return timed(ratio, ratio > 1.015);
  });
  EXPECT_EQ(found.next.end, Ending::culprit);
  EXPECT_EQ(found.next.high, 50);
}

TEST(Search, AChangeInSmallStepsIsNotConfirmed) {
  const Outcome found = search(65, [](const Step& step) {
    const double ratio = std::pow(1.002, step.head - step.base);
    return timed(ratio, ratio > 1.015);
  });
  EXPECT_EQ(found.next.end, Ending::unconfirmed);
  EXPECT_THAT(found.next.why, HasSubstr("small steps"));
}

TEST(Search, AHistoryThatNeverBuildsEnds) {
  const Outcome found = search(4097, [](const Step& step) { return step.head < 4096 ? unusable() : timed(1.2, true); });
  EXPECT_EQ(found.next.end, Ending::undecided);
  EXPECT_THAT(found.next.why, HasSubstr("more than 100 runs"));
}

Comparison comparison(Verdict verdict, double ratio = 0) {
  Comparison out;
  out.suite = "gemm";
  out.benchmark = "gemm/64";
  out.verdict = verdict;
  if (ratio > 0) out.ratio = ratio, out.ratio_high = ratio * 1.01;
  return out;
}

TEST(ReadRun, SaysWhatARunTellsOfTheBenchmark) {
  struct Case {
    const char* name;
    Aim aim;
    std::optional<Conclusion> conclusion;
    std::vector<Comparison> comparisons;
    ReadingKind kind;
  };
  const Target timed_target{.aim = Aim::regressed, .suite = "gemm", .benchmark = "gemm/64"};
  using enum ReadingKind;
  const Case cases[] = {
      {"cancelled", Aim::regressed, std::nullopt, {}, trouble},
      {"infrastructure", Aim::regressed, Conclusion::infrastructure, {}, trouble},
      {"unbuilt", Aim::regressed, Conclusion::build_failed, {}, unusable},
      {"regressed", Aim::regressed, Conclusion::regressed, {comparison(Verdict::regressed, 1.1)}, timed},
      {"unchanged", Aim::regressed, Conclusion::passed, {comparison(Verdict::unchanged, 1)}, timed},
      {"identical", Aim::regressed, Conclusion::passed, {comparison(Verdict::identical)}, same},
      {"missing", Aim::regressed, Conclusion::passed, {comparison(Verdict::missing)}, unusable},
      {"crashed and timed is asked", Aim::regressed, Conclusion::broken, {comparison(Verdict::crashed)}, unusable},
      {"crashed", Aim::broken, Conclusion::broken, {comparison(Verdict::crashed)}, failing},
      {"slow but right", Aim::broken, Conclusion::regressed, {comparison(Verdict::regressed, 1.1)}, same},
      {"fails elsewhere", Aim::broken, Conclusion::broken, {}, unusable},
      {"does not build", Aim::broken, Conclusion::build_failed, {}, unusable},
  };
  for (const Case& c : cases) {
    Target target = timed_target;
    target.aim = c.aim;
    RunEnd run{.conclusion = c.conclusion, .reason = {}, .base = "a", .wanted = "a", .comparisons = {}};
    run.comparisons = c.comparisons;
    EXPECT_EQ(read_run(target, run).kind, c.kind) << c.name;
  }
  const RunEnd other{.conclusion = Conclusion::passed,
                     .reason = {},
                     .base = "b",
                     .wanted = "a",
                     .comparisons = {comparison(Verdict::unchanged, 1)}};
  EXPECT_EQ(read_run(timed_target, other).kind, trouble) << "another base was taken";
}

}  // namespace search_test
}  // namespace kernelgate::bisect

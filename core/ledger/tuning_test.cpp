// SPDX-License-Identifier: Apache-2.0
#include "core/ledger/tuning.hpp"

#include <gmock/gmock.h>

namespace kernelgate::ledger {
namespace tuning_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using wire::Attempt;
using wire::AttemptKind;
using Outcome = AttemptOutcome;

wire::AttemptRatio ratio(double value, std::optional<double> low = {}, std::optional<double> high = {}) {
  return {.suite = "gemm", .benchmark = "gemm/64", .ratio = value, .low = low, .high = high};
}

Attempt tried(std::int64_t id, Outcome outcome, double best, double worst) {
  Attempt out;
  out.id = id;
  out.branch = "try/" + std::to_string(id);
  out.commit = "0123456789abcdef";
  out.outcome = outcome;
  out.best = ratio(best);
  out.worst = ratio(worst);
  out.timed = 2;
  out.improved = best < 1 ? 1 : 0;
  out.regressed = worst > 1 ? 1 : 0;
  out.cost = {.build_s = 10, .check_s = 5, .measure_s = 25};
  out.created_at = from_millis(1000 * id);
  return out;
}

Attempt failed(std::int64_t id, Outcome outcome, std::vector<std::string> failures = {}) {
  Attempt out = tried(id, outcome, 1, 1);
  out.best = out.worst = std::nullopt;
  out.failed = true;
  out.failures = std::move(failures);
  out.detail = "it does not work";
  return out;
}

Attempt point(std::int64_t id, const std::string& at, Outcome outcome, double best = 1, double worst = 1) {
  Attempt out = tried(id, outcome, best, worst);
  out.kind = AttemptKind::point;
  out.suite = "gemm";
  out.point = at;
  out.failed = outcome == Outcome::broken || outcome == Outcome::misaligned_address;
  return out;
}

wire::TuningReport concluded(std::vector<Attempt> attempts) {
  wire::TuningReport out;
  out.repository = "kernels";
  out.attempts = std::move(attempts);
  conclude_tuning(out);
  return out;
}

wire::AlikeAttempt alike(std::int64_t attempt, wire::Likeness how) {
  wire::AlikeAttempt out;
  out.attempt = attempt;
  out.how = how;
  return out;
}

wire::TuningTestbed testbed(const char* name, const char* gpu, const char* cpu) {
  wire::TuningTestbed out;
  out.name = name;
  out.gpu_model = gpu;
  out.host_cpu = cpu;
  out.runs = 3;
  return out;
}

TEST(AttemptName, IsWhatPeopleCallIt) {
  Attempt one;
  EXPECT_EQ(name_of(one), "idea");
  one.commit = "0123456789abcdef";
  EXPECT_EQ(name_of(one), "0123456789");
  one.branch = "try/x";
  EXPECT_EQ(name_of(one), "try/x");
  one.kind = AttemptKind::work_tree;
  EXPECT_EQ(name_of(one), "try/x (work tree)");
  one.branch = one.commit = "";
  EXPECT_EQ(name_of(one), "work tree");
  one.suite = "gemm";
  one.point = "BM=64";
  EXPECT_EQ(name_of(one), "gemm BM=64");
}

TEST(ShownRatio, IsTheSlowestOfALostAttemptElseTheFastest) {
  for (int i = 0; i < enumerator_count<Outcome>(); ++i) {
    const auto outcome = static_cast<Outcome>(i);
    EXPECT_EQ(shown_ratio(tried(1, outcome, 0.5, 2))->ratio, outcome == Outcome::lost ? 2 : 0.5) << to_string(outcome);
  }
  EXPECT_FALSE(shown_ratio(failed(1, Outcome::broken)));
}

TEST(Tuning, OfNoAttemptHasNothingToSay) {
  const auto report = concluded({});
  EXPECT_FALSE(report.from || report.to);
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_THAT(report.not_tried, IsEmpty());
  EXPECT_EQ(report.objective, "No suite was measured yet.");
  EXPECT_EQ(tuning_markdown(report),
            "# Tuning report: kernels\n\nNo attempt.\n\n**Objective.** No suite was measured yet.\n");
}

TEST(Tuning, SpansTheTimesThatAttemptsWereTriedAt) {
  std::vector<Attempt> attempts{tried(5, Outcome::won, 0.9, 1), tried(3, Outcome::lost, 1, 1.1),
                                tried(4, Outcome::lost, 1, 1.1)};
  attempts[1].tried_at = from_millis(9000);  // created at 3,000
  const auto report = concluded(attempts);
  EXPECT_EQ(report.from, from_millis(4000));
  EXPECT_EQ(report.to, from_millis(9000));
}

TEST(Tuning, CostsAndOutcomesAddUp) {
  auto attempts = std::vector{tried(1, Outcome::won, 0.9, 1), tried(2, Outcome::lost, 1, 1.2),
                              tried(3, Outcome::lost, 1, 1.2), failed(4, Outcome::did_not_compile)};
  attempts[1].cost.money = 0.25;
  attempts[2].cost.money = 0.5;
  const auto report = concluded(attempts);
  EXPECT_EQ(seconds_of(report.cost), 160);
  EXPECT_EQ(report.cost.build_s, 40);
  EXPECT_EQ(report.cost.check_s, 20);
  EXPECT_EQ(report.cost.measure_s, 100);
  EXPECT_EQ(report.cost.money, 0.75);
  int counted = 0;
  double seconds = 0;
  for (const auto& one : report.outcomes) {
    counted += one.attempts;
    seconds += one.seconds;
    EXPECT_EQ(one.attempts, one.outcome == Outcome::lost ? 2 : 1) << to_string(one.outcome);
    EXPECT_EQ(one.money, one.outcome == Outcome::lost ? std::optional(0.75) : std::nullopt) << to_string(one.outcome);
  }
  EXPECT_EQ(counted, 4);
  EXPECT_EQ(seconds, 160);
  EXPECT_THAT(report.findings,
              testing::Contains("1 of 4 attempts do not work (1 did not compile): 25 % of the time spent"));
  EXPECT_THAT(report.findings, testing::Contains("2 of 4 attempts are slower than their base"));
}

TEST(Tuning, AReferenceIsNoAttemptThatCouldFail) {
  EXPECT_THAT(concluded({point(1, "BM=32", Outcome::reference), failed(2, Outcome::broken)}).findings,
              testing::Contains("1 of 1 attempts do not work (1 broken): 100 % of the time spent"));
}

TEST(Tuning, TheObjectiveNamesSuitesAndMachinesOnce) {
  wire::TuningReport report;
  report.suites = {{"gemm", {}, {}}, {"spmm", {}, {}}, {"sort", {}, {}}};
  report.testbeds = {testbed("a", "H200", "Xeon"), testbed("b", "H200", "EPYC"), testbed("c", "", "EPYC")};
  conclude_tuning(report);
  EXPECT_EQ(report.objective, "Make gemm, spmm and sort faster on H200 and EPYC, with every check passing.");
  report.suites.resize(1);
  report.testbeds.clear();
  conclude_tuning(report);
  EXPECT_EQ(report.objective, "Make gemm faster, with every check passing.");
}

TEST(Tuning, TheBestIsTheFastestThatWon) {
  const auto report = concluded({tried(1, Outcome::won, 0.9, 1.0), tried(2, Outcome::mixed, 0.8, 1.3),
                                 tried(3, Outcome::lost, 0.5, 2.0), failed(4, Outcome::broken)});
  EXPECT_EQ(report.findings.at(0), "best so far: #2 (try/2): gemm/64 -20.00 %; 1 of 2 benchmarks faster, 1 slower");
  EXPECT_EQ(concluded({tried(1, Outcome::lost, 0.5, 2.0)}).findings.at(0), "no attempt is faster than its base");
}

TEST(Tuning, OneBugSpeaksOnceForTheSameAttempts) {
  const auto report = concluded({failed(1, Outcome::broken, {"a wrong_value 1", "b wrong_value 2"}),
                                 failed(2, Outcome::broken, {"a wrong_value 1", "b wrong_value 2"}),
                                 failed(3, Outcome::broken, {"a wrong_value 1", "c nan 0"})});
  std::vector<std::string> names;
  for (const auto& failure : report.failures) names.push_back(failure.failure);
  EXPECT_THAT(names, ElementsAre("a wrong_value 1", "b wrong_value 2")) << "c fails in one attempt alone";
  EXPECT_THAT(report.failures[0].attempts, ElementsAre(1, 2, 3));
  EXPECT_THAT(report.findings, testing::Contains("attempts #1, #2 and #3 fail alike (a wrong_value 1): look for one "
                                                 "shared bug before trying more"));
}

TEST(Tuning, AnErrorThatDoubledIsSaid) {
  auto attempts = std::vector{tried(1, Outcome::won, 0.9, 1), tried(2, Outcome::won, 0.95, 1)};
  attempts[0].error_factor = 1.99;
  attempts[1].error_factor = 2;
  EXPECT_THAT(concluded(attempts).findings,
              ElementsAre(HasSubstr("best so far: #1"), "#2 (try/2): the numerical error grew x2"));
}

TEST(Tuning, RepetitionsSayWhatIsTheSame) {
  auto attempts = std::vector{tried(1, Outcome::lost, 1, 1.1), tried(2, Outcome::lost, 1, 1.1)};
  attempts[0].alike = {alike(9, wire::Likeness::code), alike(8, wire::Likeness::failure)};
  attempts[1].alike = {alike(9, wire::Likeness::patch), alike(7, wire::Likeness::code)};
  const auto findings = concluded(attempts).findings;
  EXPECT_THAT(findings, testing::Contains("#1 (try/1) repeats #9: the same machine code"));
  EXPECT_THAT(findings, testing::Contains("#2 (try/2) repeats #9 and #7: the same change"));
}

TEST(Tuning, WhatLandedIsToldInItsOrder) {
  wire::TuningReport report;
  report.attempts = {tried(1, Outcome::won, 0.9, 1)};
  report.landed = {
      {.run = 1, .commit = "aaaaaaaaaaaaaaaa", .subject = "one", .outcome = Outcome::won, .best = ratio(0.9)},
      {.run = 2, .commit = "bbbbbbbbbbbbbbbb", .subject = "two", .outcome = Outcome::lost, .best = ratio(1.1)},
      {.run = 3, .commit = "cccccccccccccccc", .subject = "three", .outcome = Outcome::mixed, .best = ratio(0.8)}};
  conclude_tuning(report);
  EXPECT_THAT(report.findings, testing::Contains("landed on the default branch, each against the commit before: "
                                                 "aaaaaaaaaa (one) -10.00 %, then cccccccccc (three) -20.00 %"));
}

TEST(Sweeps, ThePointThatIsFastestInTheMiddleWins) {
  const auto sweeps = sweeps_in({point(1, "BM=32", Outcome::reference), point(2, "BM=64", Outcome::won, 0.8, 1.0),
                                 point(3, "BM=96", Outcome::mixed, 0.7, 1.4),
                                 point(4, "BM=128", Outcome::lost, 0.1, 1.2), point(5, "BM=256", Outcome::not_tried)});
  ASSERT_EQ(sweeps.size(), 1U);
  EXPECT_EQ(sweeps[0].best, 2) << "sqrt(.8 x 1) is below 1 and below sqrt(.7 x 1.4)";
  EXPECT_EQ(sweeps[0].best_point, "BM=64");
  EXPECT_THAT(sweeps[0].attempts, ElementsAre(1, 2, 3, 4, 5));
}

TEST(Sweeps, TheReferenceIsBestWhereEveryOtherPointIsSlower) {
  const auto sweeps = sweeps_in({point(1, "BM=32", Outcome::lost, 0.99, 1.2), point(2, "BM=64", Outcome::reference),
                                 point(3, "BM=96", Outcome::mixed, 0.95, 1.3)});
  ASSERT_EQ(sweeps.size(), 1U);
  EXPECT_EQ(sweeps[0].best, 2);
}

TEST(Sweeps, TheOrderOfPointsChangesNothing) {
  std::vector<Attempt> points{point(1, "BM=32", Outcome::reference), point(2, "BM=64", Outcome::won, 0.8, 0.9),
                              point(3, "BM=80", Outcome::misaligned_address),
                              point(4, "BM=96", Outcome::won, 0.7, 0.9)};
  std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  do {
    const auto sweeps = sweeps_in(points);
    ASSERT_EQ(sweeps.size(), 1U);
    EXPECT_EQ(sweeps[0].best, 4);
    EXPECT_THAT(sweeps[0].constraints, ElementsAre("BM = 80 fails (1 point: misaligned address)"));
  } while (
      std::next_permutation(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.id < b.id; }));
}

TEST(Sweeps, CommitsSuitesAndAxesAreApartAndOnlyPointsCount) {
  std::vector<Attempt> attempts{point(1, "BM=64", Outcome::reference), point(2, "BM=64", Outcome::reference),
                                point(3, "BM=64", Outcome::reference), point(4, "BM=64 W=8", Outcome::reference),
                                tried(5, Outcome::won, 0.5, 0.5)};
  attempts[1].commit = "f123456789";
  attempts[2].suite = "spmm";
  EXPECT_EQ(sweeps_in(attempts).size(), 4U);
}

TEST(Sweeps, NoPointIsBestWhereNoneWorks) {
  const auto sweeps = sweeps_in({point(1, "BM=32", Outcome::broken), point(2, "BM=64", Outcome::broken)});
  ASSERT_EQ(sweeps.size(), 1U);
  EXPECT_EQ(sweeps[0].best, 0);
  EXPECT_THAT(sweeps[0].constraints, IsEmpty());
}

TEST(Tuning, WhatWasNotTriedIsListedSweepByIdea) {
  Attempt idea;
  idea.id = 7;
  idea.kind = AttemptKind::idea;
  idea.hypothesis = "swizzle the tiles";
  const auto report = concluded({point(1, "BM=32", Outcome::reference), point(2, "BM=64", Outcome::not_tried), idea,
                                 tried(8, Outcome::superseded, 1, 1), tried(9, Outcome::won, 0.9, 1)});
  EXPECT_THAT(report.not_tried, ElementsAre("1 of 2 points of the sweep of gemm at 0123456789: BM=64",
                                            "#7 idea: swizzle the tiles (noted, never run)", "#8 try/8 (superseded)"));
}

TEST(TuningMarkdown, HasASectionForWhatThereIs) {
  wire::TuningReport report;
  report.repository = "kernels";
  report.branch = "tune";
  report.since = "14d";
  report.is_cut = true;
  report.attempts = {tried(1, Outcome::won, 0.9, 1.05)};
  report.attempts[0].hypothesis = "a | b";
  report.attempts[0].lesson = "tiles <big>";
  report.attempts[0].subject = "Swizzle @all";
  report.suites = {{"gemm", {"a", "b"}, {}}};
  report.testbeds = {testbed("box", "H200", "")};
  report.testbeds[0].compute_capability = "9.0";
  report.landed = {{.run = 4,
                    .commit = "abcdefabcdefabcd",
                    .subject = "s",
                    .outcome = Outcome::won,
                    .best = ratio(0.9),
                    .worst = ratio(1)}};
  conclude_tuning(report);
  const std::string page = tuning_markdown(report);
  for (const char* part :
       {"1 attempt of tune since 14d, 1970-01-01. There are more: these are the newest.\n",
        "\n## Findings\n\n- best so far", "| gemm | 2: a, b | – |\n", "| box | H200 (9.0) | – | – | – | 3 |\n",
        "\n## Attempts\n", "| a \\| b |", "lesson: tiles &#60;big&#62;", "<br>Swizzle &#64;&#8203;all",
        "| 4 | abcdefabcd | s | won | ", "\n## What landed\n", "| build | 10.0 | 25 % |\n",
        "| measure | 25.0 | 62 % |\n", "| all | 40.0 | no price is known |\n", "| won | 1 | 40.0 | – |\n"})
    EXPECT_THAT(page, HasSubstr(part));
  EXPECT_THAT(page, Not(HasSubstr("## Not tried")));
}

TEST(TuningMarkdown, LongListsAndDetailsAreCut) {
  wire::TuningReport report;
  report.suites = {{"gemm", std::vector<std::string>(9, "b"), std::vector<std::string>(8, "7x9")}};
  report.attempts = {failed(1, Outcome::broken)};
  report.attempts[0].detail = std::string(1000, 'd');
  conclude_tuning(report);
  const std::string page = tuning_markdown(report);
  EXPECT_THAT(page, HasSubstr("| 9: b, b, b, b, b, b, b, b and 1 more | 7x9, 7x9, 7x9, 7x9, 7x9, 7x9, 7x9, 7x9 |"));
  EXPECT_THAT(page, Not(HasSubstr(std::string(161, 'd'))));
  EXPECT_THAT(page, HasSubstr(std::string(70, 'd')));
}

TEST(TuningMarkdown, EveryRowHasTheColumnsOfItsHead) {
  Attempt odd = tried(1, Outcome::won, 0.9, 1.1);
  odd.subject = odd.hypothesis = odd.lesson = "a | b\n| c \\| d";
  odd.notices = {"| x |"};
  const std::string table = attempts_markdown({odd, failed(2, Outcome::crashed), tried(3, Outcome::lost, 1, 1)});
  std::size_t at = 0;
  int rows = 0;
  for (std::size_t end = table.find('\n'); end != table.npos; at = end + 1, end = table.find('\n', at), ++rows) {
    int bars = 0;
    for (std::size_t i = at; i < end; ++i) bars += table[i] == '|' && (i == 0 || table[i - 1] != '\\') ? 1 : 0;
    EXPECT_EQ(bars, 8) << table.substr(at, end - at);
  }
  EXPECT_EQ(rows, 5);
}

}  // namespace tuning_test
}  // namespace kernelgate::ledger

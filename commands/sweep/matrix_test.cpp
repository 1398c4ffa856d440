// SPDX-License-Identifier: Apache-2.0
#include "commands/sweep/matrix.hpp"

#include <gmock/gmock.h>

#include "core/ledger/outcome.hpp"

namespace kernelgate::local {
namespace matrix_test {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Sweep example() {
  Sweep sweep;
  sweep.suite = "attention";
  sweep.axes["BLOCK_M"] = {std::int64_t{64}, std::int64_t{128}, std::int64_t{80}};
  sweep.axes["NUM_WARPS"] = {std::int64_t{4}, std::int64_t{8}};
  sweep.axes["STAGES"] = {std::int64_t{1}};
  return sweep;
}

TEST(Matrix, SpansItsAxesWithTheReferenceFirst) {
  Sweep sweep = example();
  EXPECT_THAT(points_of(sweep), SizeIs(6));
  EXPECT_EQ(points_of(sweep)[0].name(), "BLOCK_M=64 NUM_WARPS=4 STAGES=1");
  EXPECT_EQ(points_of(sweep)[5].defines(), "-DBLOCK_M=80 -DNUM_WARPS=8 -DSTAGES=1");
  sweep.reference = {{"BLOCK_M", std::int64_t{80}}, {"NUM_WARPS", std::int64_t{8}}, {"STAGES", std::int64_t{1}}};
  EXPECT_EQ(points_of(sweep)[0].name(), "BLOCK_M=80 NUM_WARPS=8 STAGES=1");
  EXPECT_EQ(points_of(sweep)[1].name(), "BLOCK_M=64 NUM_WARPS=4 STAGES=1");
}

// Each point's outcome by name; the first is the reference.
SweepResult swept(const std::map<std::string, std::pair<std::string, double>>& outcomes) {
  SweepResult out;
  for (const Point& point : points_of(example())) {
    const auto& [outcome, ratio] = outcomes.at(point.name().substr(0, point.name().rfind(' ')));
    PointResult result{.point = point, .outcome = *ledger::parse_outcome(outcome), .text = {}};
    if (ratio > 0)
      result.ratio = ratio;
    else
      result.failed = true;
    out.points.push_back(result);
  }
  conclude_sweep(out);
  return out;
}

TEST(Matrix, NamesTheBestPointAndWhatFailuresHaveInCommon) {
  const SweepResult sweep = swept({{"BLOCK_M=64 NUM_WARPS=4", {"reference", 1}},
                                   {"BLOCK_M=64 NUM_WARPS=8", {"won", 0.93}},
                                   {"BLOCK_M=80 NUM_WARPS=4", {"misaligned address", 0}},
                                   {"BLOCK_M=80 NUM_WARPS=8", {"misaligned address", 0}},
                                   {"BLOCK_M=128 NUM_WARPS=4", {"broken", 0}},
                                   {"BLOCK_M=128 NUM_WARPS=8", {"did not compile", 0}}});
  EXPECT_EQ(sweep.best, "BLOCK_M=64 NUM_WARPS=8 STAGES=1");
  EXPECT_THAT(sweep.constraints, ElementsAre("every BLOCK_M other than 64 fails (4 points: 1 broken, 1 did not "
                                             "compile, 2 misaligned address)"));
}

TEST(Matrix, ValuesAndPairsOfValuesMayFail) {
  SweepResult sweep = swept({{"BLOCK_M=64 NUM_WARPS=4", {"reference", 1}},
                             {"BLOCK_M=64 NUM_WARPS=8", {"lost", 1.2}},
                             {"BLOCK_M=80 NUM_WARPS=4", {"misaligned address", 0}},
                             {"BLOCK_M=80 NUM_WARPS=8", {"misaligned address", 0}},
                             {"BLOCK_M=128 NUM_WARPS=4", {"won", 0.9}},
                             {"BLOCK_M=128 NUM_WARPS=8", {"too many resources", 0}}});
  EXPECT_EQ(sweep.best, "BLOCK_M=128 NUM_WARPS=4 STAGES=1");
  EXPECT_THAT(sweep.constraints, ElementsAre("BLOCK_M = 80 fails (2 points: misaligned address)",
                                             "BLOCK_M = 128 with NUM_WARPS = 8 fails (1 point: too many resources)"));
}

TEST(Matrix, WithoutFailuresThereAreNoConstraints) {
  std::map<std::string, std::pair<std::string, double>> outcomes;
  for (const Point& point : points_of(example()))
    outcomes[point.name().substr(0, point.name().rfind(' '))] = {"no change", 1.001};
  outcomes["BLOCK_M=64 NUM_WARPS=4"] = {"reference", 1};
  EXPECT_THAT(swept(outcomes).constraints, IsEmpty());
  EXPECT_EQ(swept(outcomes).best, "BLOCK_M=64 NUM_WARPS=4 STAGES=1");
}

TEST(Matrix, APointIsWhatItsBenchmarksAre) {
  const auto outcome = [](Verdict verdict, const std::string& reason, std::optional<double> ratio) {
    RunDecision decision;
    decision.conclusion = Conclusion::passed;
    Comparison comparison;
    comparison.verdict = verdict;
    comparison.reason = reason;
    comparison.ratio = ratio;
    comparison.pairs = ratio ? 4 : 0;
    decision.comparisons = {comparison};
    return words(judge_point({}, decision).outcome);
  };
  EXPECT_EQ(outcome(Verdict::improved, "", 0.9), "won");
  EXPECT_EQ(outcome(Verdict::regressed, "", 1.1), "lost");
  EXPECT_EQ(outcome(Verdict::unchanged, "", 1), "no change");
  EXPECT_EQ(outcome(Verdict::suspected, "", 1.02), "undecided");
  EXPECT_EQ(outcome(Verdict::identical, "", {}), "identical");
  EXPECT_EQ(outcome(Verdict::broken, "", {}), "broken");
  EXPECT_EQ(outcome(Verdict::timed_out, "", {}), "timed out");
  EXPECT_EQ(outcome(Verdict::crashed, "CUDA error 716 (cudaErrorMisalignedAddress): misaligned address", {}),
            "misaligned address");
  EXPECT_EQ(outcome(Verdict::crashed, "signal 11", {}), "crashed");
  RunDecision failed;
  failed.conclusion = Conclusion::build_failed;
  EXPECT_EQ(judge_point({}, failed).outcome, AttemptOutcome::did_not_compile);
  EXPECT_TRUE(judge_point({}, failed).failed);
}

}  // namespace matrix_test
}  // namespace kernelgate::local

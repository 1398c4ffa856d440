// SPDX-License-Identifier: Apache-2.0
// What the report gathers.
#include "db/tuning_report.hpp"

#include <gmock/gmock.h>

#include "core/ledger/tuning.hpp"
#include "db/attempts.hpp"
#include "db/store_fixture.hpp"

namespace kernelgate::db {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class TuningReportTest : public StoreTest {};

TEST_F(TuningReportTest, ASweepsConstraintsAndLeftOutPointsAreFindings) {
  plan_points(connection, {repository, hash_of(7), "attention", {"M=64 W=4", "M=64 W=8", "M=80 W=4", "M=128 W=4"}},
              at(1));
  const auto point = [&](const std::string& name, bool is_reference, Verdict verdict, double ratio) {
    NewRun run{.repository = repository, .commit = hash_of(7)};
    run.branch = "-D" + name;
    run.source = "sweep";
    run.idempotency_key = name;
    run.queued = false;
    const RunId id = add_run(connection, run, at(2))->id;
    put_attempt_facts(connection, id,
                      {.hypothesis = {}, .patch_id = {}, .suite = "attention", .point = name,
                       .is_reference = is_reference});
    Comparison one = comparison("b", verdict);
    if (ratio > 0) one.ratio = ratio;
    one.pairs = ratio > 0 ? 4 : 0;
    one.reason = "misaligned address";
    finish(id, verdict == Verdict::crashed ? Conclusion::broken : Conclusion::passed, {one});
  };
  point("M=64 W=4", true, Verdict::unchanged, 1);
  point("M=64 W=8", false, Verdict::improved, 0.8);
  point("M=80 W=4", false, Verdict::crashed, 0);
  const auto report = tuning_report(connection, {.repositories = {repository}, .name = "kernels"});
  ASSERT_THAT(report.sweeps, SizeIs(1));
  EXPECT_EQ(report.sweeps.front().best_point, "M=64 W=8");
  EXPECT_THAT(report.sweeps.front().constraints, ElementsAre("M = 80 fails (1 point: misaligned address)"));
  EXPECT_THAT(report.not_tried,
              ElementsAre("1 of 4 points of the sweep of attention at 0000000000: M=128 W=4"));
  EXPECT_THAT(ledger::tuning_markdown(report),
              HasSubstr("- attention at 0000000000: M = 80 fails (1 point: misaligned address)"));
}

}  // namespace
}  // namespace kernelgate::db

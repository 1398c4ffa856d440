// SPDX-License-Identifier: Apache-2.0
// The report of a replay's real store, word for word (tests/golden/ledger), and of its corners.
#include "service/ledger/tuning_report.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "core/ledger/tuning.hpp"
#include "core/wire/codec.hpp"
#include "db/ledger/attempts.hpp"
#include "db/ledger/tuning_rows.hpp"
#include "service/ledger/attempt_record.hpp"
#include "service/runs/ends.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::service {
namespace tuning_report_test {

using namespace db;  // NOLINT(google-build-using-namespace): the store that the test fills

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string golden(const std::string& name) {
  std::ifstream file(std::string(KG_GOLDEN_LEDGER) + "/" + name);
  EXPECT_TRUE(file) << name;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class ReplayReport : public testing::Test {
 protected:
  ReplayReport() : connection_(folder_ / "replay.db") {
    connection_.script("PRAGMA synchronous = OFF");
    migrate(connection_);
    connection_.script("BEGIN; " + golden("replay.sql") + "COMMIT;");
  }
  wire::TuningReport report(const std::string& branch = {}) {
    return gather_report(connection_, {.repositories = same_address(connection_, RepositoryId{1}),
                                       .name = get_repository(connection_, RepositoryId{1})->name,
                                       .branch = branch});
  }
  const Folder folder_;
  Connection connection_;
};

TEST_F(ReplayReport, IsTheGoldenPage) { EXPECT_EQ(ledger::tuning_markdown(report()), golden("replay.md")); }

TEST_F(ReplayReport, ItsJsonHasTheSame) {
  const auto all = report();
  const auto back = wire::decode<wire::TuningReport>(wire::encode(all));
  ASSERT_TRUE(back) << to_string(back.error());
  EXPECT_EQ(wire::encode(*back), wire::encode(all));
  EXPECT_THAT(all.attempts, SizeIs(8));
  EXPECT_THAT(all.landed, SizeIs(3));
  ASSERT_THAT(all.failures, SizeIs(1));
  EXPECT_THAT(all.failures.front().attempts, SizeIs(2));
}

TEST_F(ReplayReport, OfOneBranchHoldsThatBranch) {
  const auto one = report("attempt/packed-panel");
  ASSERT_THAT(one.attempts, SizeIs(1));
  EXPECT_EQ(one.attempts.front().outcome, AttemptOutcome::crashed);
  EXPECT_THAT(one.landed, IsEmpty());
  EXPECT_THAT(report("attempt/*").attempts, SizeIs(8));
}

TEST_F(ReplayReport, OfNothingSaysSo) {
  const auto none = report("no-such-branch");
  EXPECT_THAT(none.findings, IsEmpty());
  EXPECT_THAT(ledger::tuning_markdown(none), HasSubstr("No attempt of no-such-branch."));
}

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
    put_attempt_facts(
        connection, id,
        {.hypothesis = {}, .patch_id = {}, .suite = "attention", .point = name, .is_reference = is_reference});
    Comparison one = comparison("b", verdict);
    if (ratio > 0) one.ratio = ratio;
    one.pairs = ratio > 0 ? 4 : 0;
    one.reason = "misaligned address";
    finish(id, verdict == Verdict::crashed ? Conclusion::broken : Conclusion::passed, {one});
    run_ended(connection, id, at(1000));
  };
  point("M=64 W=4", true, Verdict::unchanged, 1);
  point("M=64 W=8", false, Verdict::improved, 0.8);
  point("M=80 W=4", false, Verdict::crashed, 0);
  const auto report = gather_report(connection, {.repositories = {repository}, .name = "kernels"});
  ASSERT_THAT(report.sweeps, SizeIs(1));
  EXPECT_EQ(report.sweeps.front().best_point, "M=64 W=8");
  EXPECT_THAT(report.sweeps.front().constraints, ElementsAre("M = 80 fails (1 point: misaligned address)"));
  EXPECT_THAT(report.not_tried, ElementsAre("1 of 4 points of the sweep of attention at 0000000000: M=128 W=4"));
  EXPECT_THAT(ledger::tuning_markdown(report),
              HasSubstr("- attention at 0000000000: M = 80 fails (1 point: misaligned address)"));
}

}  // namespace tuning_report_test
}  // namespace kernelgate::service

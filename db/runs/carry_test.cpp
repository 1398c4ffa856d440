// SPDX-License-Identifier: Apache-2.0
#include "db/runs/carry.hpp"

#include "db/accounts/audit.hpp"
#include "db/baselines/baselines.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace carry_test {

class CarriedBaselines : public StoreTest {
 protected:
  CarriedBaselines() {
    run = working_run(1);
    EXPECT_TRUE(put_process(connection, run, process("h", Side::head, 0, {10, 30, 20}), at(1)));
    Comparison timed = comparison("b", Verdict::unchanged);
    timed.ratio = 1;
    finish(run, Conclusion::passed, {timed});
    EXPECT_TRUE(promote(connection,
                        {.repository = repository, .run = run, .name = "release", .actor = "ann", .reason = "1.0"},
                        at(2000)));
  }
  int carry(EpochId to, const std::string& commit, const std::vector<wire::EpochFigure>& figures) {
    return carry_baselines(
        connection,
        {.repository = repository, .to = to, .commit = commit, .actor = "bench", .text = "+4.0 %", .figures = figures},
        at(3000));
  }
  RunId run;
};

TEST_F(CarriedBaselines, StandInTheNewEpochWithTheNewTimes) {
  const EpochId before = epoch(), now = epoch("2");
  EXPECT_EQ(carry(now, hash_of(1), {{"s", "b", 21, 3}, {"s", "unknown", 5, 3}}), 1);
  const auto found = find_baseline(connection, repository, "release", now);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->commit, hash_of(1));
  EXPECT_EQ(found->actor, "bench");
  EXPECT_EQ(found->reason, "carried from epoch " + std::to_string(before.value) + ": +4.0 %");
  ASSERT_EQ(found->benchmarks.size(), 1u);
  EXPECT_EQ(found->benchmarks[0].median_ns, 21);
  EXPECT_EQ(found->benchmarks[0].processes, 3);
  EXPECT_EQ(find_baseline(connection, repository, "release", before)->benchmarks[0].median_ns, 20) << "the old stays";
  EXPECT_EQ(list_actions(connection).at(0).action.action, "baseline.carry");
  EXPECT_EQ(carry(now, hash_of(1), {{"s", "b", 22, 3}}), 0) << "once";
}

TEST_F(CarriedBaselines, AreOnlyThoseOfTheCommitWithFigures) {
  const EpochId now = epoch("2");
  EXPECT_EQ(carry(now, hash_of(2), {{"s", "b", 21, 3}}), 0);
  EXPECT_EQ(carry(now, hash_of(1), {}), 0);
  EXPECT_EQ(carry(now, hash_of(1), {{"s", "other", 21, 3}}), 0);
  EXPECT_FALSE(find_baseline(connection, repository, "release", now));
}

}  // namespace carry_test
}  // namespace kernelgate::db

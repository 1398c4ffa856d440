// SPDX-License-Identifier: Apache-2.0
#include "service/baselines/sessions.hpp"

#include <gmock/gmock.h>

#include "core/decision/rule/stored_screen.hpp"
#include "core/units/limits.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::service {
namespace sessions_test {

using namespace db;  // NOLINT(google-build-using-namespace): the store that the test fills

using testing::HasSubstr;

class RemeasurableBaselines : public StoreTest {
 protected:
  void promoted(int commit, const std::string& name) {
    const RunId run = working_run(commit, name);
    EXPECT_TRUE(put_process(connection, run, process(name, Side::head, 0, {10}), at(commit)));
    finish(run, Conclusion::passed, {comparison("b", Verdict::unchanged)});
    const auto id = promote(
        connection, {.repository = repository, .run = run, .name = name, .actor = "ann", .reason = "out"}, at(20));
    EXPECT_TRUE(id) << to_string(id.error());
  }
};

TEST_F(RemeasurableBaselines, StandOnceForEachCommitAndSayWhyTheyCannotBeTimed) {
  promoted(1, "old");
  promoted(1, "same commit");
  promoted(2, "main");
  auto found = remeasurable(connection, repository, "");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].baseline.commit, hash_of(2));
  EXPECT_EQ(found[0].testbed, "bed");
  EXPECT_EQ(found[0].why_not, "");
  const auto queued = add_run(connection, session_run(found[0].baseline, 2, 7), at(30));
  ASSERT_TRUE(queued);
  EXPECT_THAT(remeasurable(connection, repository, "main").at(0).why_not, HasSubstr("is not finished yet"));
  (void)epoch("2");
  found = remeasurable(connection, repository, "old");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].why_not, "its epoch is over: promote a run of the present one");
}

TEST_F(RemeasurableBaselines, ASessionIsAForcedRunAgainstNothing) {
  promoted(1, "main");
  const auto baseline = remeasurable(connection, repository, "main").at(0).baseline;
  const NewRun session = session_run(baseline, 2, 7);
  EXPECT_TRUE(session.force);
  EXPECT_EQ(session.seed, 7u);
  const auto run = add_run(connection, session, at(30));
  ASSERT_TRUE(run);
  EXPECT_TRUE(is_session(connection, run->id));
  EXPECT_EQ(get_run(connection, run->id)->base.kind, wire::BaseKind::none);
  EXPECT_EQ(get_run(connection, run->id)->base.argument, "2");
  EXPECT_NE(session.idempotency_key, session_run(baseline, 2, 7).idempotency_key);
}

// How many sessions are left of each of ten benchmarks with 60 of so many figures, and the oldest of them.
std::pair<std::size_t, double> left_of(std::size_t figures) {
  std::vector<StoredSessions> all(10);
  for (StoredSessions& one : all)
    for (int i = 0; i < limits::kSessionsMax; ++i)
      one.sessions.push_back(std::vector<double>(figures, static_cast<double>(i)));
  shorten(all);
  for (const StoredSessions& one : all) {
    EXPECT_EQ(one.sessions.size(), all.front().sessions.size());
    EXPECT_EQ(one.sessions.back().front(), limits::kSessionsMax - 1);
  }
  return {all.back().sessions.size(), all.back().sessions.front().front()};
}

TEST(ClaimedSessions, TheOldestGoWhereAClaimWouldGrowTooLong) {
  static_assert(limits::kSessionsMax == 60 && limits::kClaimFiguresMax == 200'000);
  EXPECT_EQ(left_of(200), std::pair(std::size_t{60}, 0.0));
  EXPECT_EQ(left_of(500), std::pair(std::size_t{40}, 20.0));
  EXPECT_EQ(left_of(2000), std::pair(std::size_t{kStoredSessionsMin}, 60.0 - kStoredSessionsMin));
}

}  // namespace sessions_test
}  // namespace kernelgate::service

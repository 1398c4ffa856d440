// SPDX-License-Identifier: Apache-2.0
#include "db/runs/comparisons.hpp"

#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace comparisons_test {

class StoredVariances : public StoreTest {
 protected:
  void compared(int commit, std::vector<Comparison> comparisons, Conclusion conclusion = Conclusion::passed) {
    finish(working_run(commit), conclusion, std::move(comparisons));
  }
};

TEST_F(StoredVariances, FewerThanFifteenDegreesAreNone) {
  compared(1, {comparison("b", Verdict::unchanged, 7, 1)});
  compared(2, {comparison("b", Verdict::unchanged, 7, 1)});
  EXPECT_TRUE(stored_variances(connection, repository, epoch()).empty());
  compared(3, {comparison("b", Verdict::unchanged, 1, 1)});
  const auto stored = stored_variances(connection, repository, epoch());
  ASSERT_EQ(stored.size(), 1u);
  EXPECT_EQ(stored[0].suite, "s");
  EXPECT_EQ(stored[0].benchmark, "b");
  EXPECT_EQ(stored[0].degrees, 15);
  EXPECT_DOUBLE_EQ(stored[0].variance, 3.0 / 15);
}

TEST_F(StoredVariances, NoSingleComparisonSetsIt) {
  compared(1, {comparison("b", Verdict::unchanged, 15, 1000)});
  compared(2, {comparison("b", Verdict::undecided, 11, 2)}, Conclusion::undecided);
  compared(3, {comparison("b", Verdict::regressed, 7, 1)}, Conclusion::regressed);
  const auto stored = stored_variances(connection, repository, epoch());
  ASSERT_EQ(stored.size(), 1u);
  EXPECT_EQ(stored[0].degrees, 33);
  EXPECT_LT(stored[0].variance, 1);  // pooled, it would be 30
}

TEST_F(StoredVariances, EpochsAndBenchmarksStandApart) {
  compared(1, {comparison("b", Verdict::unchanged, 15, 15), comparison("c", Verdict::unchanged, 15, 30)});
  const EpochId old = epoch();
  const EpochId fresh = epoch("2");
  EXPECT_NE(old, fresh);
  EXPECT_TRUE(stored_variances(connection, repository, fresh).empty());
  const auto stored = stored_variances(connection, repository, old);
  ASSERT_EQ(stored.size(), 2u);
  EXPECT_DOUBLE_EQ(stored[0].variance, 1);
  EXPECT_DOUBLE_EQ(stored[1].variance, 2);
  const auto other = add_repository(connection, {.name = "other", .url = "u", .manifest = {}}, at(0));
  EXPECT_TRUE(stored_variances(connection, *other, old).empty());
}

TEST_F(StoredVariances, ComparisonsWithoutPairsDoNotCount) {
  compared(1, {comparison("b", Verdict::unchanged, 15, 15)});
  compared(2, {comparison("b", Verdict::crashed)}, Conclusion::broken);
  EXPECT_EQ(stored_variances(connection, repository, epoch()).size(), 1u);
}

TEST_F(StoredVariances, AnEpochEndsWhenAFactChangesAndDoesNotComeBack) {
  const EpochId first = epoch("1");
  EXPECT_EQ(epoch("1"), first);
  const EpochId second = epoch("2");
  const EpochId third = epoch("1");
  EXPECT_NE(second, first);
  EXPECT_NE(third, first);
  EXPECT_EQ(get_epoch(connection, third)->facts.driver, "1");
  ASSERT_EQ(present_epochs(connection).size(), 1u);
  EXPECT_EQ(present_epochs(connection)[0].id, third);
}

TEST_F(StoredVariances, PresentEpochsAreOfTestbedsThatFinishedARun) {
  EXPECT_TRUE(present_epochs(connection, repository).empty());
  compared(1, {});
  EXPECT_EQ(present_epochs(connection, repository), std::vector{epoch()});
  const EpochId later = epoch("2");
  EXPECT_EQ(present_epochs(connection, repository), std::vector{later});
  wire::TestbedFacts unused;
  unused.name = "never used";
  (void)enter_epoch(connection, unused, at(0));
  EXPECT_EQ(present_epochs(connection, repository), std::vector{later});
}

}  // namespace comparisons_test
}  // namespace kernelgate::db

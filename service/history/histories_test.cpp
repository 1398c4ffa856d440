// SPDX-License-Identifier: Apache-2.0
#include "db/baselines/anchors.hpp"

#include <cmath>

#include "db/history/benchmark_history.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace anchors_test {

class Anchors : public StoreTest {
 protected:
  RunId measured(int commit, double ns) {
    const RunId id = working_run(commit, std::to_string(next_));
    EXPECT_TRUE(put_process(connection, id, process("p" + std::to_string(next_++), Side::head, 0, {ns}), at(commit)));
    finish(id, Conclusion::passed, {comparison("b", Verdict::unchanged)});
    return id;
  }
  void anchor(RunId run) {
    Promotion promotion{
        .repository = repository, .run = run, .name = "release-1.2", .actor = "ann", .reason = "release"};
    promotion.anchor = true;
    const auto made = promote(connection, promotion, at(50));
    ASSERT_TRUE(made) << to_string(made.error());
  }
  wire::BenchmarkHistory history() {
    return *benchmark_history(connection, {.repository = repository, .suite = "s", .benchmark = "b", .branch = "main"});
  }
  int next_ = 1;
};

TEST_F(Anchors, WithoutOneThereIsNothingToSay) {
  measured(1, 1000);
  EXPECT_FALSE(history().anchor);
  EXPECT_EQ(history().anchor_note, "");
  EXPECT_FALSE(history().points[0].anchor_ratio);
}

TEST_F(Anchors, TheNewestPointIsHeldAgainstTheReleaseWithTheSpreadOfTheHistory) {
  anchor(measured(1, 1000));
  for (int commit = 2; commit <= 12; ++commit) measured(commit, 1050 + commit % 3);
  const auto found = history();
  ASSERT_TRUE(found.anchor);
  EXPECT_EQ(found.anchor->name, "release-1.2");
  EXPECT_EQ(found.anchor->commit, hash_of(1));
  EXPECT_DOUBLE_EQ(found.anchor->ratio, 1.05);
  EXPECT_EQ(found.anchor->spread, "history");
  EXPECT_EQ(found.anchor->spread_count, 12);
  EXPECT_GT(*found.anchor->ratio_low, 1.03);
  EXPECT_NE(found.anchor->text.find("session offset not known, interval from 12 points"), std::string::npos);
  EXPECT_DOUBLE_EQ(*found.points[0].anchor_ratio, 1);
}

TEST_F(Anchors, OneOfAnotherEpochIsNamedAndNotUsed) {
  anchor(measured(1, 1000));
  const EpochId later = epoch("2");
  const auto lookup = find_anchor(connection, repository, later);
  EXPECT_FALSE(lookup.anchor);
  EXPECT_NE(lookup.note.find("release-1.2 (0000000000) is of another epoch"), std::string::npos) << lookup.note;
}

TEST_F(Anchors, TwentySessionsMakeThePredictionInterval) {
  Anchor release;
  release.baseline.name = "v1";
  release.medians_ns[{"s", "b"}] = 1000;
  for (int i = 0; i < 20; ++i) release.sessions[{"s", "b"}].push_back(std::log(1000.0 + i));
  measured(1, 1100);
  auto found = history();
  ASSERT_TRUE(compare_with_anchor(found, release));
  EXPECT_EQ(found.anchor->spread, "sessions");
  EXPECT_GT(*found.anchor->ratio_low, 1.05);
  EXPECT_NE(found.anchor->text.find("interval from 20 sessions"), std::string::npos);
}

}  // namespace anchors_test
}  // namespace kernelgate::db

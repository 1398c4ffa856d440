// SPDX-License-Identifier: Apache-2.0
#include "runner/job/epoch.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "runner/job/epoch_shift.hpp"
#include "tests/support/table_repository.hpp"

namespace kernelgate {
namespace epoch_test {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class EpochTest : public testing::Test {
 protected:
  EpochTest() {
    const fs::path root = repository_.folder().parent_path();
    control_ = root / "control";
    fs::create_directories(control_);
    fs::copy_file(KG_TABLE_SUITE, control_ / "suite");
    set_control("100");
    request_.file = root / "epochs" / "figures.json";
    request_.control = control_ / "suite";
    repository_.machine.testbed.driver = "580";
    anchor_ = repository_.commit({{"times", "a\t100\nb\t200\n"}});
    request_.anchor = anchor_->str();
    head_ = repository_.commit({{"times", "a\t101\nb\t200\n"}});
  }
  void set_control(const std::string& ns) const { std::ofstream(control_ / "times") << "fma\t" << ns << "\n"; }
  EpochEntered enter() {
    const auto entered = repository_.enter(repository_.request_for(*head_), request_);
    EXPECT_TRUE(entered) << to_string(entered.error());
    return entered ? *entered : EpochEntered{};
  }
  TableRepository repository_;
  fs::path control_;
  EpochRequest request_;
  std::optional<CommitHash> anchor_, head_;
};

TEST_F(EpochTest, TheFirstEpochLeavesFiguresForTheNext) {
  const auto first = enter();
  EXPECT_FALSE(first.is_new);
  EXPECT_THAT(first.notices, IsEmpty());
  ASSERT_TRUE(fs::exists(request_.file));
  const auto states = repository_.reporter.states.size();
  EXPECT_FALSE(enter().is_new);
  EXPECT_EQ(repository_.reporter.states.size(), states) << "nothing changed, so nothing is timed";
}

TEST_F(EpochTest, AChangedDriverIsHeldAgainstTheEpochBefore) {
  (void)enter();
  repository_.machine.testbed.driver = "590";
  set_control("104");
  const auto entered = enter();
  EXPECT_TRUE(entered.is_new);
  ASSERT_FALSE(entered.notices.empty());
  EXPECT_THAT(entered.notices[0], HasSubstr("driver 580 -> 590"));
  EXPECT_THAT(entered.notices[0], HasSubstr("changed everything: +4.0 % on the control kernels, +0.0 % on the"));
  EXPECT_THAT(entered.notices[0], HasSubstr("kept binaries"));
  EXPECT_EQ(entered.upload.commit, anchor_->str());
  EXPECT_TRUE(entered.upload.kept);
  EXPECT_NEAR(*entered.upload.control_ratio, 1.04, 1e-9);
  ASSERT_THAT(entered.upload.figures, SizeIs(2));
  EXPECT_EQ(entered.upload.figures[0].median_ns, 100);
  EXPECT_EQ(entered.upload.figures[0].processes, 3);
  EXPECT_FALSE(enter().is_new) << "once an epoch";
}

TEST_F(EpochTest, AnotherAnchorTakesTheOldOnesPlace) {
  (void)enter();
  request_.anchor = head_->str();
  EXPECT_FALSE(enter().is_new);
  repository_.machine.testbed.driver = "590";
  EXPECT_EQ(enter().upload.commit, head_->str());
}

TEST_F(EpochTest, WithoutAnAnchorThereIsNothingToHoldAgainst) {
  request_.anchor.clear();
  EXPECT_FALSE(enter().is_new);
  EXPECT_FALSE(fs::exists(request_.file));
}

TEST_F(EpochTest, AnAnchorThatIsGoneIsSaid) {
  request_.anchor = std::string(40, 'a');
  const auto entered = enter();
  ASSERT_THAT(entered.notices, SizeIs(1));
  EXPECT_THAT(entered.notices[0], HasSubstr("cannot be fetched here"));
}

}  // namespace epoch_test
}  // namespace kernelgate

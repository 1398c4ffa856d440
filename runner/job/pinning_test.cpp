// SPDX-License-Identifier: Apache-2.0
#include "runner/job/pinning.hpp"

#include <gmock/gmock.h>

#include "tests/support/table_repository.hpp"

namespace kernelgate {
namespace pinning_test {

using testing::AllOf;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class PinningTest : public testing::Test {
 protected:
  CommitHash commit(const std::string& does) { return repository_.commit({{"times", "a\t0\t" + does + "\n"}}); }
  Comparison judge(const CommitHash& head) {
    const auto decision = repository_.judge(repository_.request_for(head));
    EXPECT_THAT(decision.comparisons, SizeIs(1)) << decision.summary;
    return decision.comparisons.empty() ? Comparison{} : decision.comparisons.front();
  }
  TableRepository repository_;
};

TEST_F(PinningTest, ASlowerChoiceIsNoSlowerKernel) {
  commit("chooses wide wide=100 narrow=120");
  const Comparison one = judge(commit("chooses narrow wide=100 narrow=120"));
  EXPECT_EQ(one.verdict, Verdict::regressed);
  EXPECT_EQ(one.base_configuration, "wide");
  EXPECT_EQ(one.head_configuration, "narrow");
  ASSERT_THAT(one.pinned, SizeIs(1));
  EXPECT_EQ(one.pinned[0].configuration, "wide");
  EXPECT_EQ(one.pinned[0].verdict, Verdict::unchanged);
  EXPECT_THAT(one.attribution, EndsWith("the choice made the difference, not the kernel"));
  const auto taken = static_cast<std::size_t>(2 * one.pairs);
  EXPECT_THAT(repository_.reporter.processes, SizeIs(taken)) << "pinned pairs are no evidence of the verdict";
}

// A device that somebody takes after so many pairs.
class DeviceThatIsTaken final : public DisturbanceProbe {
 public:
  explicit DeviceThatIsTaken(int pairs) : left_(pairs) {}
  Status admit(const Say&, const std::stop_token&) override {
    return left_-- > 0 ? Status() : Status(fail(Errc::unavailable, "somebody else computes"));
  }
  void process_starts() override {}
  DeviceWindow process_ended() override { return {}; }

 private:
  int left_;
};

TEST_F(PinningTest, WhereThePinnedPairsFailTheVerdictStands) {
  commit("chooses wide wide=100 narrow=120");
  const auto head = commit("chooses narrow wide=100 narrow=120");
  DeviceThatIsTaken device(judge(head).pairs);
  repository_.probe = &device;
  const Comparison one = judge(head);
  EXPECT_EQ(one.verdict, Verdict::regressed);
  EXPECT_THAT(one.pinned, IsEmpty());
  EXPECT_EQ(repository_.last.evidence.infrastructure, "");
  EXPECT_THAT(repository_.last.evidence.notices,
              Contains(AllOf(HasSubstr("was not distinguished from the kernel"), HasSubstr("somebody else computes"))));
}

TEST_F(PinningTest, ASlowerKernelIsNoSlowerChoice) {
  commit("chooses wide wide=100 narrow=100");
  const Comparison one = judge(commit("chooses narrow wide=120 narrow=120"));
  EXPECT_EQ(one.verdict, Verdict::regressed);
  EXPECT_THAT(one.attribution, EndsWith("the kernel made the difference, not the choice"));
}

TEST_F(PinningTest, TheSameChoiceNeedsNoPin) {
  commit("chooses wide wide=100");
  const Comparison one = judge(commit("chooses wide wide=120"));
  EXPECT_EQ(one.verdict, Verdict::regressed);
  EXPECT_EQ(one.head_configuration, "wide");
  EXPECT_THAT(one.pinned, IsEmpty());
}

TEST_F(PinningTest, WhatHeadNoLongerHasIsTriedTheOtherWayRound) {
  commit("chooses wide wide=100 narrow=120");
  const Comparison one = judge(commit("chooses narrow narrow=120"));
  ASSERT_THAT(one.pinned, SizeIs(2));
  EXPECT_THAT(one.pinned[0].failure, HasSubstr("head: there is no wide"));
  EXPECT_EQ(one.pinned[1].pinned, Side::base);
  EXPECT_EQ(one.pinned[1].configuration, "narrow");
  EXPECT_EQ(one.pinned[1].verdict, Verdict::unchanged);
}

TEST_F(PinningTest, ASuiteThatDoesNotListenIsNotBelieved) {
  commit("deaf wide wide=100");
  const Comparison one = judge(commit("deaf narrow narrow=120"));
  EXPECT_EQ(one.verdict, Verdict::regressed);
  ASSERT_THAT(one.pinned, SizeIs(2));
  EXPECT_THAT(one.pinned[0].failure, HasSubstr("head ran narrow, not wide: its suite does not keep to"));
  EXPECT_THAT(one.pinned[1].failure, HasSubstr("base ran wide, not narrow"));
}

}  // namespace pinning_test
}  // namespace kernelgate

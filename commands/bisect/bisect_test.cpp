// SPDX-License-Identifier: Apache-2.0
#include "commands/bisect/bisect.hpp"

#include <gmock/gmock.h>

#include "tests/support/table_repository.hpp"

namespace kernelgate::local {
namespace bisect_test {

using testing::HasSubstr;
using testing::SizeIs;

class LocalBisectTest : public testing::Test {
 protected:
  LocalBisectTest() {
    options_.run.repository = repository_.folder();
    options_.run.no_sandbox = true;
    options_.target.benchmark = "gemm/64";
  }

  std::string commit(const std::string& ns, const std::string& build = TableRepository::copying_build()) {
    // The comment gives each commit a tree of its own: no two of them are identical.
    const std::string times = "#" + std::to_string(++count_) + "\ngemm/64\t" + ns + "\nother\t5\n";
    line_.push_back(repository_.commit({{"times", times}, {"build.sh", build}}).str());
    return line_.back();
  }
  Result<wire::Bisection> bisect() {
    return bisect_here(options_, [](const std::string&) {}, {});
  }
  Error refused() {
    const auto found = bisect();
    EXPECT_FALSE(found);
    return found ? Error{} : found.error();
  }

  TableRepository repository_;
  BisectOptions options_;
  std::vector<std::string> line_;
  int count_ = 0;
};

TEST_F(LocalBisectTest, FindsTheCulpritPastACommitThatDoesNotBuild) {
  options_.good = commit("100");
  for (int i = 1; i <= 8; ++i) commit(i >= 3 ? "112" : "100", i == 4 ? "exit 1\n" : TableRepository::copying_build());
  const auto found = bisect();
  ASSERT_TRUE(found) << to_string(found.error());
  EXPECT_EQ(found->ending, bisect::Ending::culprit) << bisection_table(*found);
  EXPECT_EQ(found->culprit, line_[3]);
  EXPECT_NEAR(*found->ratio, 1.12, 0.001);
  EXPECT_EQ(exit_code(*found), 0);
  EXPECT_THAT(bisection_table(*found), HasSubstr("git show " + line_[3]));
}

TEST_F(LocalBisectTest, FindsTheCommitThatCrashes) {
  options_.good = commit("100");
  for (int i = 1; i <= 4; ++i) commit(i >= 2 ? "100\tcrash" : "100");
  options_.target.aim = bisect::Aim::broken;
  const auto found = bisect();
  ASSERT_TRUE(found) << to_string(found.error());
  EXPECT_EQ(found->culprit, line_[2]) << bisection_table(*found);
  EXPECT_EQ(found->steps.back().reading, bisect::ReadingKind::failing);
}

TEST_F(LocalBisectTest, WithoutADifferenceThereIsNothingToFind) {
  options_.good = commit("100");
  commit("100");
  commit("100.1");
  const auto found = bisect();
  ASSERT_TRUE(found) << to_string(found.error());
  EXPECT_EQ(found->ending, bisect::Ending::no_difference);
  EXPECT_THAT(found->steps, SizeIs(1));
  EXPECT_EQ(exit_code(*found), 3);
}

TEST_F(LocalBisectTest, WhatIsWrongWithARequestIsNamed) {
  options_.good = commit("100");
  commit("120");
  options_.bad = "nowhere";
  EXPECT_EQ(refused().code, Errc::not_found);
  options_.bad = options_.good;
  EXPECT_THAT(refused().what, HasSubstr("the same commit"));
  options_.bad = options_.good;
  options_.good = "HEAD";
  EXPECT_THAT(refused().what, HasSubstr("is no ancestor of"));
  options_.good = line_[0];
  options_.bad = "HEAD";
  options_.target.benchmark = "gemm/6";
  EXPECT_THAT(refused().what, HasSubstr("no benchmark is named 'gemm/6'"));
  options_.target.benchmark = "";
  EXPECT_EQ(refused().where, "--benchmark");
}

TEST_F(LocalBisectTest, ABackfillMeasuresWhatNeverWas) {
  options_.good = commit("100");
  for (int i = 0; i < 3; ++i) commit("100");
  options_.limit = 2;
  const auto fill = [&] {
    auto reply = backfill_here(
        options_, [](const std::string&) {}, [](const std::string&, const RunOutcome&) {}, {});
    EXPECT_TRUE(reply) << to_string(reply.error());
    return reply.value_or(wire::BackfillReply{});
  };
  const wire::BackfillReply first = fill();
  ASSERT_THAT(first.runs, SizeIs(2));
  EXPECT_EQ(first.runs[0].commit, line_[3]) << "newest first";
  EXPECT_EQ(first.left, 1);
  EXPECT_THAT(fill().runs, SizeIs(1));
  EXPECT_EQ(fill().known, 3);
}

}  // namespace bisect_test
}  // namespace kernelgate::local

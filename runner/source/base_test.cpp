// SPDX-License-Identifier: Apache-2.0
#include "runner/source/base.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/test_repository.hpp"

namespace kernelgate {
namespace base_test {

using testing::HasSubstr;
using wire::BaseKind;

//   a - b - c        main
//        \.
//         s - t      topic
class BaseTest : public testing::Test {
 protected:
  BaseTest() {
    repository.git({"checkout", "-q", "-b", "topic"});
    s = repository.commit("s");
    t = repository.commit("t");
    repository.git({"checkout", "-q", "main"});
    c = repository.commit("c");
  }
  ResolvedBase base(const CommitHash& head, BaseKind kind, const std::string& argument = {}) const {
    auto found = resolve_base(repository.open(), head, {kind, argument});
    if (!found) throw std::runtime_error(to_string(found.error()));
    return *found;
  }
  TemporaryFolder folder{"base"};
  TestRepository repository{folder.path / "repo"};
  CommitHash a = repository.commit("a"), b = repository.commit("b"), s = b, t = b, c = b;
};

TEST_F(BaseTest, PullRequestTakesTheMergeBaseWithItsTarget) {
  const auto found = base(t, BaseKind::merge_base, "main");
  EXPECT_EQ(found.commit, b);
  EXPECT_EQ(found.reason, "merge base with main");
}

TEST_F(BaseTest, PushToTheDefaultBranchTakesTheTipBeforeThePush) {
  const auto found = base(c, BaseKind::before, a.str());
  EXPECT_EQ(found.commit, a);  // three commits pushed at once are judged together
  EXPECT_EQ(found.reason, "tip of the branch before the push");
}

TEST_F(BaseTest, ForcePushTakesTheOldTipEvenThoughItIsNoAncestor) {
  EXPECT_EQ(base(c, BaseKind::before, t.str()).commit, t);
}

TEST_F(BaseTest, ATipBeforeThatIsGoneGivesTheFirstParent) {
  const auto found = base(c, BaseKind::before, std::string(40, 'e'));
  EXPECT_EQ(found.commit, b);
  EXPECT_EQ(found.reason, "the tip before the push (eeeeeeeeee) is gone; first parent of head");
}

TEST_F(BaseTest, FirstPushOfTheDefaultBranchHasNoBase) {
  for (const auto& none : {std::string(40, '0'), std::string()}) {
    const auto found = base(c, BaseKind::before, none);
    EXPECT_EQ(found.commit, std::nullopt);
    EXPECT_THAT(found.reason, HasSubstr("no base"));
  }
}

TEST_F(BaseTest, AnotherBranchTakesTheMergeBaseWithTheDefaultBranch) {
  EXPECT_EQ(base(s, BaseKind::merge_base, "main").commit, b);
}

TEST_F(BaseTest, ACommitThatIsPartOfTheTargetTakesItsFirstParent) {
  const auto found = base(c, BaseKind::merge_base, "main");
  EXPECT_EQ(found.commit, b);
  EXPECT_EQ(found.reason, "head is part of main already; first parent of head");
}

TEST_F(BaseTest, PostCommitTakesTheFirstParent) {
  EXPECT_EQ(base(t, BaseKind::first_parent).commit, s);
  repository.git({"merge", "-q", "--no-ff", "-m", "m", "topic"});
  EXPECT_EQ(base(repository.head(), BaseKind::first_parent).commit, c);
}

TEST_F(BaseTest, ARootCommitHasNoBase) {
  const auto found = base(a, BaseKind::first_parent);
  EXPECT_EQ(found.commit, std::nullopt);
  EXPECT_EQ(found.reason, "head is a root commit: no base");
}

TEST_F(BaseTest, AnExplicitBaseOverrides) {
  EXPECT_EQ(base(c, BaseKind::explicit_commit, "topic").commit, t);
  EXPECT_EQ(base(c, BaseKind::explicit_commit, a.str()).commit, a);
  EXPECT_EQ(base(c, BaseKind::explicit_commit, "main~1").reason, "asked for: main~1");
}

TEST_F(BaseTest, UnrelatedHistoriesHaveNoBase) {
  repository.git({"checkout", "-q", "--orphan", "other"});
  const auto lone = repository.commit("lone");
  const auto found = base(lone, BaseKind::merge_base, "main");
  EXPECT_EQ(found.commit, std::nullopt);
  EXPECT_THAT(found.reason, HasSubstr("no common ancestor"));
}

TEST_F(BaseTest, WhatDoesNotExistIsNotFound) {
  const auto git = repository.open();
  const auto missing = *CommitHash::parse(std::string(40, 'd'));
  EXPECT_EQ(resolve_base(git, missing, {}).error().code, Errc::not_found);
  EXPECT_EQ(resolve_base(git, c, {BaseKind::explicit_commit, "nope"}).error().code, Errc::not_found);
  EXPECT_EQ(resolve_base(git, c, {BaseKind::merge_base, "nope"}).error().code, Errc::not_found);
}

TEST_F(BaseTest, AShallowCloneIsNotTakenForARootCommit) {
  repository.git(
      {"clone", "-q", "--depth=1", "file://" + repository.path.string(), (folder.path / "shallow").string()});
  const auto git = Git::open(folder.path / "shallow", GitConfig::isolated);
  ASSERT_TRUE(git);
  const auto found = resolve_base(*git, c, {});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, Errc::not_found);
  EXPECT_THAT(found.error().fix, HasSubstr("unshallow"));
}

std::optional<std::string> good() { return std::nullopt; }

TEST_F(BaseTest, ABrokenBaseGivesWayToTheNearestGoodAncestor) {
  const auto git = repository.open();
  const auto fine = find_good_base(git, c, [](const CommitHash&) { return good(); });
  EXPECT_EQ(fine->commit, c);
  EXPECT_EQ(fine->reason, "");
  const auto found = find_good_base(git, c, [&](const CommitHash& commit) -> Result<std::optional<std::string>> {
    if (commit == c) return "does not build";
    if (commit == b) return "fails its checks";
    return good();
  });
  ASSERT_TRUE(found);
  EXPECT_EQ(found->commit, a);
  EXPECT_EQ(found->steps, 2);
  EXPECT_EQ(found->reason, "base moved back to " + a.short_str() + " (2 commits): " + c.short_str() +
                               " does not build, " + b.short_str() + " fails its checks");
}

TEST_F(BaseTest, TheWalkEndsAtTheRootOrAfterTheGivenNumber) {
  const auto git = repository.open();
  int asked = 0;
  const BaseJudge never = [&asked](const CommitHash&) -> Result<std::optional<std::string>> {
    ++asked;
    return "does not build";
  };
  const auto root = find_good_base(git, c, never);
  EXPECT_EQ(root->commit, std::nullopt);
  EXPECT_THAT(root->reason, HasSubstr("no good base among 3 commits"));
  for (int i = 0; i < 25; ++i) repository.commit("more");
  asked = 0;
  EXPECT_EQ(find_good_base(git, repository.head(), never)->commit, std::nullopt);
  EXPECT_EQ(asked, 21);  // base itself and 20 ancestors
}

TEST_F(BaseTest, AnErrorOfTheJudgeEndsTheWalk) {
  const auto found = find_good_base(repository.open(), c, [](const CommitHash&) -> Result<std::optional<std::string>> {
    return fail(Errc::io, "disk full");
  });
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().what, "disk full");
}

}  // namespace base_test
}  // namespace kernelgate

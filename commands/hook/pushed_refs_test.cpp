// SPDX-License-Identifier: Apache-2.0
#include "commands/hook/pushed_refs.hpp"

#include <gtest/gtest.h>

namespace kernelgate::hook {
namespace pushed_refs_test {

const std::string kA(40, 'a');
const std::string kB(40, 'b');
const std::string kZero(40, '0');

TEST(PushedRefs, ReadsWhatGitGivesPrePush) {
  const auto pushed = parse_pre_push("refs/heads/x " + kA + " refs/heads/main " + kB + "\n" +  // renamed on the way
                                     "(delete) " + kZero + " refs/heads/gone " + kB + "\n" +   //
                                     "refs/tags/v1 " + kA + " refs/tags/v1 " + kZero + "\n" +  //
                                     "HEAD~1 " + kB + " refs/heads/größe/\"x\" " + kZero + "\n");
  ASSERT_TRUE(pushed) << to_string(pushed.error());
  ASSERT_EQ(pushed->size(), 2U);
  EXPECT_EQ(pushed->at(0).branch, "main");
  EXPECT_EQ(pushed->at(0).head.str(), kA);
  EXPECT_EQ(pushed->at(0).before, kB);
  EXPECT_EQ(pushed->at(1).branch, "größe/\"x\"");
  EXPECT_EQ(pushed->at(1).before, kZero);
}

TEST(PushedRefs, ReadsWhatGitGivesPostReceive) {
  const auto pushed = parse_post_receive(kA + " " + kB + " refs/heads/main\n" + kA + " " + kZero +
                                         " refs/heads/gone\n" + kZero + " " + kA + " refs/notes/commits\n");
  ASSERT_TRUE(pushed) << to_string(pushed.error());
  ASSERT_EQ(pushed->size(), 1U);
  EXPECT_EQ(pushed->at(0).head.str(), kB);
  EXPECT_EQ(pushed->at(0).before, kA);
}

TEST(PushedRefs, NothingPushedIsNoError) {
  EXPECT_TRUE(parse_pre_push("").value().empty());
  EXPECT_TRUE(parse_post_receive("\n").value().empty());
}

TEST(PushedRefs, RefusesWhatGitNeverWrites) {
  EXPECT_FALSE(parse_pre_push("garbage\n"));
  EXPECT_FALSE(parse_pre_push("refs/heads/x HEAD refs/heads/x " + kZero + "\n"));
  EXPECT_FALSE(parse_post_receive(kA + " " + kB + "\n"));
  EXPECT_FALSE(parse_post_receive(kA + " --upload-pack=x refs/heads/main\n"));
}

TEST(BaseOf, FollowsTheBranch) {
  const auto head = CommitHash::parse(kA).value();
  const auto main = base_of({"main", head, kB}, "main");
  EXPECT_EQ(main.kind, wire::BaseKind::before);
  EXPECT_EQ(main.argument, kB);
  const auto first_push = base_of({"main", head, kZero}, "main");
  EXPECT_EQ(first_push.kind, wire::BaseKind::before);
  EXPECT_EQ(first_push.argument, kZero);
  const auto topic = base_of({"topic", head, kB}, "main");
  EXPECT_EQ(topic.kind, wire::BaseKind::merge_base);
  EXPECT_EQ(topic.argument, "main");
}

}  // namespace pushed_refs_test
}  // namespace kernelgate::hook

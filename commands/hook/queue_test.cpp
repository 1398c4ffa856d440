// SPDX-License-Identifier: Apache-2.0
#include "commands/hook/queue.hpp"

#include <gmock/gmock.h>

#include "tests/support/hook_fixture.hpp"

namespace kernelgate::hook {
namespace queue_test {

wire::Trigger trigger_of(const std::string& branch) {
  wire::Trigger trigger;
  trigger.repository = "kernels";
  trigger.commit = std::string(40, 'a');
  trigger.branch = branch;
  return trigger;
}

Client client_for(const std::string& url) {
  return Client::create({.server = url, .retry_for = std::chrono::milliseconds{0}}).value();
}

std::vector<std::string> branches(const std::vector<wire::Trigger>& triggers) {
  std::vector<std::string> out;
  for (const wire::Trigger& trigger : triggers) out.push_back(trigger.branch);
  return out;
}

class QueueTest : public HookTest {
 protected:
  std::filesystem::path git_folder() const { return folder.path / "repo.git"; }
};

TEST_F(QueueTest, SendsInTheOrderOfArrivalAndForgetsWhatIsSent) {
  Queue queue(git_folder());
  std::vector<std::string> wanted;
  for (int i = 0; i < 20; ++i) {
    wanted.push_back("b" + std::to_string(i));
    ASSERT_TRUE(queue.add(trigger_of(wanted.back())));
  }
  const FakeGate gate;
  Client client = client_for(gate.url());
  const auto flush = queue.flush(client);
  ASSERT_TRUE(flush) << to_string(flush.error());
  EXPECT_FALSE(flush->away);
  EXPECT_EQ(flush->sent.size(), 20U);
  EXPECT_EQ(branches(gate.triggers()), wanted);
  EXPECT_TRUE(queue.waiting().empty());
  ASSERT_TRUE(queue.flush(client));
  EXPECT_EQ(gate.triggers().size(), 20U) << "nothing is sent twice";
}

TEST_F(QueueTest, KeepsEverythingWhileTheServerIsAway) {
  Queue queue(git_folder());
  ASSERT_TRUE(queue.add(trigger_of("a")));
  ASSERT_TRUE(queue.add(trigger_of("b")));
  Client client = client_for(url_of_nobody());
  const auto flush = queue.flush(client);
  ASSERT_TRUE(flush);
  ASSERT_TRUE(flush->away);
  EXPECT_EQ(flush->away->code, Errc::unavailable);
  EXPECT_EQ(flush->left, 2U);
  EXPECT_EQ(Queue(git_folder()).waiting().size(), 2U) << "on disk, for another process";
}

TEST_F(QueueTest, AWrongTokenKeepsTheTriggers) {
  Queue queue(git_folder());
  ASSERT_TRUE(queue.add(trigger_of("a")));
  FakeGate gate;
  gate.trigger_status = 401;
  Client client = client_for(gate.url());
  EXPECT_TRUE(queue.flush(client).value().away);
  EXPECT_EQ(queue.waiting().size(), 1U);
}

TEST_F(QueueTest, WhatIsRefusedForGoodDoesNotBlockTheRest) {
  Queue queue(git_folder());
  ASSERT_TRUE(queue.add(trigger_of("a")));
  FakeGate gate;
  gate.trigger_status = 404;
  Client client = client_for(gate.url());
  const auto flush = queue.flush(client);
  ASSERT_TRUE(flush);
  EXPECT_FALSE(flush->away);
  EXPECT_FALSE(flush->sent.at(0).reply);
  EXPECT_TRUE(queue.waiting().empty());
  EXPECT_EQ(queue.refused().size(), 1U) << "but it is not lost";
  gate.trigger_status = 202;
  EXPECT_EQ(queue.requeue_refused(), 1U);
  EXPECT_TRUE(queue.flush(client).value().sent.at(0).reply);
  EXPECT_TRUE(queue.refused().empty());
}

TEST_F(QueueTest, ADamagedEntryDoesNotBlockTheRest) {
  Queue queue(git_folder());
  ASSERT_TRUE(queue.add(trigger_of("a")));
  std::ofstream(queue.folder() / "000-half.json") << "{\"reposi";
  std::ofstream(queue.folder() / ".000-being-written.json.part") << "{";
  const FakeGate gate;
  Client client = client_for(gate.url());
  ASSERT_TRUE(queue.flush(client));
  EXPECT_THAT(branches(gate.triggers()), testing::ElementsAre("a"));
  EXPECT_THAT(queue.refused(), testing::ElementsAre("000-half.json"));
}

TEST_F(QueueTest, HasALimitAndSaysSo) {
  Queue queue(git_folder(), 3);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(queue.add(trigger_of("b")));
  const auto added = queue.add(trigger_of("one too many"));
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, Errc::too_many);
  EXPECT_EQ(queue.waiting().size(), 3U);
}

}  // namespace queue_test
}  // namespace kernelgate::hook

// SPDX-License-Identifier: Apache-2.0
#include "server/http/lane.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

namespace kernelgate::http {
namespace lane_test {

using testing::ElementsAre;

class LaneTest : public testing::Test {
 protected:
  // Asks for a slot; once it has it, notes its name and leaves.
  void ask(const std::string& peer, const std::string& name,
           std::chrono::milliseconds patience = std::chrono::hours(1)) {
    boost::asio::co_spawn(io_, take(peer, name, std::chrono::steady_clock::now() + patience), boost::asio::detached);
    io_.restart();
    io_.poll();
  }
  boost::asio::awaitable<void> take(std::string peer, std::string name, std::chrono::steady_clock::time_point until) {
    Lane::Waiter waiter(io_);
    last_ = &waiter;
    const bool granted = co_await lane_.enter(waiter, peer, until);
    order_.push_back(granted ? name : name + " gave up");
    if (granted && !keep_) lane_.leave();
  }
  // The only slot is taken while the others line up.
  void hold() {
    keep_ = true;
    ask("holder", "holder");
    keep_ = false;
    order_.clear();
  }
  void release() {
    lane_.leave();
    io_.restart();
    io_.run();
  }

  boost::asio::io_context io_;
  Lane lane_{1};
  Lane::Waiter* last_ = nullptr;
  bool keep_ = false;
  std::vector<std::string> order_;
};

TEST_F(LaneTest, AnAddressWithManyRequestsDelaysItsOwn) {
  hold();
  for (const char* name : {"a1", "a2", "a3", "a4"}) ask("a", name);
  ask("b", "b1");
  ask("c", "c1");
  release();
  EXPECT_THAT(order_, ElementsAre("a1", "b1", "c1", "a2", "a3", "a4"));
}

TEST_F(LaneTest, WhoeverShowedATokenComesFirst) {
  hold();
  for (const char* name : {"a1", "a2"}) ask("a", name);
  ask("", "reader1");
  ask("", "reader2");
  release();
  EXPECT_THAT(order_, ElementsAre("reader1", "reader2", "a1", "a2"));
}

TEST_F(LaneTest, WhoGivesUpLeavesTheLine) {
  hold();
  ask("a", "a1");
  last_->wake.cancel();
  ask("a", "a2", std::chrono::milliseconds(-1));
  io_.restart();
  io_.poll();
  EXPECT_THAT(order_, ElementsAre("a1 gave up", "a2 gave up"));
  release();
  ask("a", "a3");
  EXPECT_EQ(order_.back(), "a3") << "the slot was handed back";
}

}  // namespace lane_test
}  // namespace kernelgate::http

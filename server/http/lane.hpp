// SPDX-License-Identifier: Apache-2.0
#pragma once

// Slots for work of which only so much may go on at a time, given in turn: first to whoever showed a token, then to one
// request of each address after another, so that an address with hundreds of them delays its own. Lives on the I/O
// thread.

#include <chrono>
#include <deque>
#include <list>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

namespace kernelgate::http {

class Lane {
 public:
  struct Waiter {
    explicit Waiter(boost::asio::io_context& io) : wake(io) {}
    boost::asio::steady_timer wake;  // cancelled by another: it gives up
    bool waited = false, granted = false;
  };

  explicit Lane(int slots) : free_(slots) {}

  // True: a slot is taken, until leave(). False: `until` passed, or the waiter gave up. `peer` empty: a token was
  // shown.
  boost::asio::awaitable<bool> enter(Waiter& waiter, std::string peer, std::chrono::steady_clock::time_point until);
  void leave();

 private:
  struct Line {
    std::string peer;
    std::deque<Waiter*> waiting;
  };
  void join(Waiter& waiter, const std::string& peer);
  void drop(Waiter& waiter);
  Waiter* next();

  int free_;
  std::list<Line> lines_;  // none is empty; the one that was served last stands last
};

}  // namespace kernelgate::http

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who waits for what: parked requests (by topic) and readers of the event stream. Lives on the I/O thread; only
// notify and publish may come from another thread, and they hop. Topics share a fixed number of slots, so a waiter
// may wake for nothing and must look again; it never sleeps through a change that came after `version` was taken.

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/http/message.hpp"

namespace kernelgate::http {

// One reader's bounded queue. A reader whose queue is full is too slow: `dropped`, and `close` is called.
struct EventReader {
  EventReader(boost::asio::io_context& io, std::string wanted, std::function<void()> on_drop)
      : wake(io), topic(std::move(wanted)), close(std::move(on_drop)) {}
  boost::asio::steady_timer wake;
  std::string topic;
  std::function<void()> close;
  std::deque<std::shared_ptr<const std::string>> queue;
  bool dropped = false;
};

class Hub {
 public:
  Hub(boost::asio::io_context& io, int events_queued_max);

  void notify(const std::string& topic);
  void publish(Event event);

  [[nodiscard]] std::uint64_t version() const { return version_; }
  // Returns when `topic` changed after version `since`, when the timer ends or is cancelled, or when the hub is closed.
  boost::asio::awaitable<void> wait(std::string topic, std::uint64_t since, boost::asio::steady_timer& timer);
  void close();  // wakes all, now and later
  [[nodiscard]] bool closed() const { return closed_; }

  void add(EventReader& reader) { readers_.push_back(&reader); }
  void remove(EventReader& reader) { readers_.remove(&reader); }

 private:
  struct Slot {
    std::uint64_t changed = 0;
    std::list<boost::asio::steady_timer*> waiting;
  };
  Slot& slot_of(const std::string& topic);
  void wake(const std::string& topic);
  void deliver(const Event& event);

  boost::asio::io_context& io_;
  std::size_t queued_max_;
  std::uint64_t version_ = 1;
  std::uint64_t next_event_ = 1;
  bool closed_ = false;
  std::array<Slot, 256> slots_;
  std::list<EventReader*> readers_;
};

}  // namespace kernelgate::http

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the sessions of one server share. All but the counters and the pool belongs to the I/O thread.

#include <atomic>
#include <list>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "core/units/limits.hpp"
#include "server/http/hub.hpp"
#include "server/http/lane.hpp"
#include "server/http/problem.hpp"
#include "server/http/server.hpp"

namespace kernelgate::http {

// Awaiting with it gives the error as a value.
constexpr auto kNoThrow = boost::asio::as_tuple(boost::asio::use_awaitable);

class Session;

struct AtomicCounters {
  std::atomic<std::uint64_t> requests{0}, responses_2xx{0}, responses_4xx{0}, responses_5xx{0};
  std::atomic<std::uint64_t> connections_refused{0}, connections_displaced{0}, event_readers_dropped{0};
  std::atomic<std::uint64_t> bodies_displaced{0}, unheard{0}, unsigned_bytes{0};
  std::atomic<int> connections{0}, parked{0}, event_readers{0};

  void count(int status) {
    ++requests;
    if (status < 300) ++responses_2xx;
    if (status >= 400 && status < 500) ++responses_4xx;
    if (status >= 500) ++responses_5xx;
  }
};

// Counts up for as long as it lives.
class Gauge {
 public:
  explicit Gauge(std::atomic<int>& value) : value_(value) { ++value_; }
  ~Gauge() { --value_; }
  Gauge(const Gauge&) = delete;
  Gauge& operator=(const Gauge&) = delete;

 private:
  std::atomic<int>& value_;
};

struct Engine {
  Engine(const ServerConfig& settings, App application)
      : config(settings),
        app(std::move(application)),
        io(1),
        reserved(limits::kReservedThreads),
        readers(static_cast<std::size_t>(settings.pool_threads)),
        reading(settings.pool_threads),
        hub(io, settings.events_queued_max),
        grace(io) {}

  // A person who followed a link reads pages, a program problem documents.
  [[nodiscard]] Response nowhere(const Request& request, const Error& error) const {
    const bool person = request.header("accept").find("text/html") != std::string_view::npos;
    return person && app.no_page ? app.no_page(error) : problem(error);
  }

  ServerConfig config;
  App app;
  AtomicCounters counters;
  boost::asio::io_context io;
  boost::asio::thread_pool reserved;  // looks at tokens, and does the work of reserved routes
  boost::asio::thread_pool readers;   // the work of all others, as `reading` lets them
  Lane reading;
  Hub hub;
  boost::asio::steady_timer grace;  // runs while a stop waits for the last sessions
  std::list<Session*> sessions;
  bool stopping = false;
};

}  // namespace kernelgate::http

// SPDX-License-Identifier: Apache-2.0
#pragma once

// An HTTP/1.1 server over one table of routes. One I/O thread (the one that calls run) owns all sockets; handlers run
// on two pools: reading that takes long delays no reserved route, and gets less of the processor. TLS is a reverse
// proxy's business. Stopping: listener, then sessions (parked requests are answered, requests under way get a grace),
// then run() returns; the owner closes its database before it destroys the Server, which joins the pool
// (docs/adr/0006). notify, publish and stop may be called from any thread.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/units/limits.hpp"
#include "core/units/result.hpp"
#include "server/http/message.hpp"
#include "server/http/route.hpp"

namespace kernelgate::http {

struct ServerConfig {
  std::string address = "127.0.0.1";  // a literal IPv4 or IPv6 address
  std::uint16_t port = 0;             // 0: the system chooses
  int pool_threads = 4;               // that read; those of reserved routes are kReservedThreads
  std::vector<std::string> hosts{};   // that a request may name in its Host header, in lower case; empty: any
  bool stop_on_signals = true;        // SIGINT and SIGTERM
  bool access_log = true;
  std::chrono::milliseconds request_deadline = limits::kRequestDeadline;
  std::chrono::milliseconds idle_max = limits::kIdleMax;
  std::chrono::milliseconds stop_grace = limits::kStopGrace;
  std::chrono::milliseconds event_keep_alive = limits::kEventKeepAlive;
  int connections_max = limits::kConnectionsMax;
  int event_readers_max = limits::kEventReadersMax;
  int events_queued_max = limits::kEventsQueuedMax;
  Bytes body_max = limits::kRequestBodyMax;
  Bytes unsigned_bodies_max = limits::kUnsignedBodiesMax;  // held at a time of open routes
};

// What the server serves. The functions run on pool threads, several at once; they may throw.
struct App {
  std::span<const Route> routes;
  std::function<Result<Identity>(const Request&)> identify;  // asked before a body is read
  std::function<Answer(std::size_t route, const Request&)> handle;
  // Asked of open routes before a body is read: what it answers, if anything, ends the request.
  std::function<std::optional<Response>(std::size_t route, const Request&)> check_head{};
  // What a browser is shown that asked for a page where there can be none; without it, a problem document.
  std::function<Response(const Error&)> no_page{};
};

// Counters for /metrics, taken at one moment.
struct Counters {
  std::uint64_t requests = 0;  // answered
  std::uint64_t responses_2xx = 0, responses_4xx = 0, responses_5xx = 0;
  std::uint64_t connections_refused = 0, connections_displaced = 0, bodies_displaced = 0;
  std::uint64_t unheard = 0;  // requests whose peer had gone before their turn came
  std::uint64_t event_readers_dropped = 0;
  std::uint64_t unsigned_bytes = 0;  // of bodies of open routes, being read or worked on now
  int connections = 0;               // open now
  int parked = 0;                    // long polls waiting now
  int event_readers = 0;
};

class Server {
 public:
  // Binds and listens; nothing is served until run(). Fails (io) where the address is in use or not ours.
  [[nodiscard]] static Result<std::unique_ptr<Server>> listen(const ServerConfig& config, App app);
  struct State;
  explicit Server(std::unique_ptr<State> state);  // for listen() alone
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::string url() const;  // http://127.0.0.1:8080

  void run();   // until stop() or a signal; call once
  void stop();  // idempotent

  void notify(const std::string& topic);  // wakes the requests parked on it
  void publish(Event event);              // to the readers of the event stream
  // Calls `work` on the pool again and again, `pause` after its last end, from run() until stop. Call before run().
  void every(std::chrono::milliseconds pause, std::function<void()> work);

  [[nodiscard]] Counters counters() const;

 private:
  std::unique_ptr<State> state_;
};

// Splits "127.0.0.1:8080", "[::1]:0" or ":8080" (loopback).
[[nodiscard]] Result<ServerConfig> parse_listen(std::string_view text);

}  // namespace kernelgate::http

// SPDX-License-Identifier: Apache-2.0
#pragma once

// One connection: reads requests, one at a time and each by a deadline, and writes their answers, until either side
// ends it or anything goes wrong. Every error ends the session: none is retried, so a closed peer cannot make it spin.

#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "server/http/engine.hpp"

namespace kernelgate::http {

// The peer's bytes were wrong, not merely cut off or late.
[[nodiscard]] bool is_malformed(const boost::beast::error_code& error);

class Session {
 public:
  Session(Engine& engine, boost::asio::ip::tcp::socket socket);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  boost::asio::awaitable<void> run();
  void stop();   // between requests: end now; else after the answer
  void abort();  // close the socket whatever is going on
  // Since when we wait for an unknown peer's bytes, for it to take ours, or with it for its turn or a change; none: a
  // request is being worked on, or the peer has shown a token. Such a session gives way to a new one where the server
  // is full.
  [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> waiting_since() const { return waiting_since_; }
  [[nodiscard]] const std::string& peer() const { return peer_; }

  // Bytes of a body that nobody vouches for; they count until its request is answered.
  [[nodiscard]] std::uint64_t unsigned_bytes() const { return unsigned_bytes_; }
  [[nodiscard]] bool may_drop_body() const { return reading_body_; }
  [[nodiscard]] std::chrono::steady_clock::time_point started() const { return started_; }
  void drop_body();  // its request is answered 503

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

  boost::asio::awaitable<bool> wait_for_bytes();
  boost::asio::awaitable<bool> exchange();
  boost::asio::awaitable<bool> refuse(boost::beast::error_code error);
  boost::asio::awaitable<Answer> answer();
  boost::asio::awaitable<std::optional<Response>> read_body();
  boost::asio::awaitable<boost::beast::error_code> read_unsigned_body();
  [[nodiscard]] std::optional<Response> check_length() const;
  bool hold_body_bytes();  // counts what has come; false: there is no room
  void let_go_of_body();
  boost::asio::awaitable<Answer> work();  // the handler, on the threads of its route
  boost::asio::awaitable<Answer> parked(Answer first, std::uint64_t since);
  boost::asio::awaitable<bool> write(Response response);
  boost::asio::awaitable<void> stream_events(std::string topic);
  boost::asio::awaitable<bool> send_event_text(std::string text);
  boost::asio::awaitable<void> linger();

  std::optional<Response> take_target();         // fills the request and the route, or refuses
  std::optional<Response> admit_now() noexcept;  // on the pool
  bool still_welcome() noexcept;                 // on the pool
  Answer handle_now() noexcept;                  // on the pool
  [[nodiscard]] bool peer_is_gone();
  void wait_for_peer() {
    if (!request_.identity.is_known()) waiting_since_ = std::chrono::steady_clock::now();
  }
  void log_access(int status, std::size_t bytes) const;

  Engine& engine_;
  Gauge open_;
  boost::beast::tcp_stream stream_;
  boost::beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  std::string peer_;
  Request request_;
  std::size_t route_ = 0;
  std::chrono::steady_clock::time_point started_;
  std::optional<std::chrono::steady_clock::time_point> waiting_since_;
  bool idle_ = true;
  bool keep_ = false;                              // the connection may carry another request
  bool head_only_ = false;                         // HEAD
  bool gone_ = false;                              // nobody is left to answer
  boost::asio::steady_timer* waits_on_ = nullptr;  // of a request that waits for its turn, or for a change
  std::uint64_t unsigned_bytes_ = 0;
  bool reading_body_ = false, body_dropped_ = false;
};

}  // namespace kernelgate::http

// SPDX-License-Identifier: Apache-2.0
// Bodies: those that a token vouches for, and those of open routes, of which the server holds only so much at a time.
#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>

#include "core/units/limits.hpp"
#include "server/http/problem.hpp"
#include "server/http/session.hpp"

namespace kernelgate::http {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bhttp = boost::beast::http;

namespace {

// Among the bodies that are still coming: of the address that holds most, the one that has been coming longest.
Session* body_to_drop(const Engine& engine, const Session& asking) {
  std::map<std::string_view, std::uint64_t> held;
  for (const Session* session : engine.sessions) held[session->peer()] += session->unsigned_bytes();
  Session* chosen = nullptr;
  const auto before = [&](const Session& one, const Session& other) {
    const std::uint64_t ones = held[one.peer()], others = held[other.peer()];
    return ones != others ? ones > others : one.started() < other.started();
  };
  for (Session* session : engine.sessions)
    if (session != &asking && session->may_drop_body() && session->unsigned_bytes() > 0 &&
        (!chosen || before(*session, *chosen)))
      chosen = session;
  return chosen;
}

Error no_room() {
  return {Errc::unavailable, "too many requests without a token are being read", "", "send it again in a moment"};
}

}  // namespace

void Session::drop_body() {
  body_dropped_ = true;
  ++engine_.counters.bodies_displaced;
  let_go_of_body();
  std::string().swap(parser_->get().body());
  stream_.cancel();
}

void Session::let_go_of_body() {
  engine_.counters.unsigned_bytes -= unsigned_bytes_;
  unsigned_bytes_ = 0;
}

bool Session::hold_body_bytes() {
  const std::uint64_t more = parser_->get().body().size() - unsigned_bytes_;
  while (engine_.counters.unsigned_bytes + more > engine_.config.unsigned_bodies_max.value) {
    Session* other = body_to_drop(engine_, *this);
    if (other == nullptr) return false;
    other->drop_body();
  }
  engine_.counters.unsigned_bytes += more;
  unsigned_bytes_ += more;
  return true;
}

std::optional<Response> Session::check_length() const {
  const bool is_open = engine_.app.routes[route_].access == Access::open;
  const Bytes most{is_open ? std::min(limits::kOpenBodyMax, engine_.config.body_max) : engine_.config.body_max};
  if (is_open && !parser_->content_length())
    return problem(411, "invalid",
                   Error{Errc::invalid, "no Content-Length", "header Content-Length", "say how long the body is"});
  if (parser_->content_length_remaining().value_or(0) <= most.value) return std::nullopt;
  return problem(
      Error{Errc::too_large, fmt::format("the body is over {} bytes", most.value), "", "send it in smaller parts"});
}

// Piece by piece, so that what was promised and never sent takes no room.
asio::awaitable<beast::error_code> Session::read_unsigned_body() {
  reading_body_ = true;
  beast::error_code failed;
  while (!failed && !body_dropped_ && !parser_->is_done()) {
    const auto [error, count] = co_await bhttp::async_read_some(stream_, buffer_, *parser_, kNoThrow);
    (void)count;
    failed = error;
    if (!failed && !body_dropped_) body_dropped_ = !hold_body_bytes();
  }
  reading_body_ = false;
  co_return failed;
}

asio::awaitable<std::optional<Response>> Session::read_body() {
  if (parser_->is_done()) co_return std::nullopt;
  auto refused = check_length();
  if (refused) co_return std::move(refused);
  stream_.expires_after(engine_.config.request_deadline);
  if (request_.header("expect") == "100-continue") {
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    const auto [error, count] = co_await asio::async_write(stream_, asio::buffer(kContinue), kNoThrow);
    (void)count;
    gone_ = static_cast<bool>(error);
    if (gone_) co_return std::nullopt;
  }
  wait_for_peer();
  body_dropped_ = false;
  beast::error_code failed;
  if (engine_.app.routes[route_].access == Access::open) {
    failed = co_await read_unsigned_body();
  } else {
    const auto [error, count] = co_await bhttp::async_read(stream_, buffer_, *parser_, kNoThrow);
    (void)count;
    failed = error;
  }
  waiting_since_.reset();
  if (body_dropped_) co_return problem(no_room());
  if (failed == bhttp::error::body_limit)
    co_return problem(Error{Errc::too_large, fmt::format("the body is over {} bytes", engine_.config.body_max.value),
                            "", "send it in smaller parts"});
  if (is_malformed(failed))
    co_return problem(Error{Errc::invalid, "malformed body: " + failed.message(), "", "speak HTTP/1.1"});
  gone_ = static_cast<bool>(failed);
  request_.body = std::move(parser_->get().body());
  co_return std::nullopt;
}

}  // namespace kernelgate::http

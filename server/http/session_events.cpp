// SPDX-License-Identifier: Apache-2.0
#include <boost/asio/write.hpp>

#include "core/units/limits.hpp"
#include "server/http/on_pool.hpp"
#include "server/http/problem.hpp"
#include "server/http/session.hpp"

namespace kernelgate::http {

namespace asio = boost::asio;

asio::awaitable<bool> Session::send_event_text(std::string text) {
  stream_.expires_after(limits::kEventWriteMax);
  const auto [error, sent] = co_await asio::async_write(stream_, asio::buffer(text), kNoThrow);
  (void)sent;
  co_return !error;
}

asio::awaitable<void> Session::stream_events(std::string topic) {
  if (engine_.counters.event_readers >= engine_.config.event_readers_max) {
    keep_ = false;
    Response busy = problem(Error{Errc::unavailable, "too many readers of the event stream", "", "come again later"});
    const bool more = co_await write(std::move(busy));
    (void)more;
    co_return;
  }
  const Gauge reading(engine_.counters.event_readers);
  engine_.counters.count(200);
  log_access(200, 0);
  EventReader reader(engine_.io, std::move(topic), [this] { stream_.close(); });
  engine_.hub.add(reader);
  bool alive = co_await send_event_text(
      "HTTP/1.1 200 OK\r\nServer: kernelgate\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\nX-Accel-Buffering: no\r\nConnection: close\r\n\r\nretry: 2000\n\n");
  auto look = [this]() noexcept { return still_welcome(); };
  while (alive && !head_only_ && !engine_.hub.closed() && !reader.dropped) {
    const bool quiet = reader.queue.empty();
    if (quiet) {
      reader.wake.expires_after(engine_.config.event_keep_alive);
      const auto [error] = co_await reader.wake.async_wait(kNoThrow);
      if (peer_is_gone()) break;
      if (error) continue;  // woken before its time
    }
    const bool welcome = co_await on_pool(engine_.reserved, look);
    if (!welcome) break;
    std::string text = quiet ? ": still here\n\n" : "";
    for (const auto& part : reader.queue) text += *part;
    reader.queue.clear();
    alive = co_await send_event_text(std::move(text));
  }
  if (reader.dropped) ++engine_.counters.event_readers_dropped;
  engine_.hub.remove(reader);
}

}  // namespace kernelgate::http

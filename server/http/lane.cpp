// SPDX-License-Identifier: Apache-2.0
#include "server/http/lane.hpp"

#include <algorithm>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace kernelgate::http {

namespace asio = boost::asio;

namespace {

constexpr auto kQuietly = asio::as_tuple(asio::use_awaitable);

}  // namespace

asio::awaitable<bool> Lane::enter(Waiter& waiter, std::string peer, std::chrono::steady_clock::time_point until) {
  if (free_ > 0) {
    --free_;
    co_return true;
  }
  join(waiter, peer);
  waiter.waited = true;
  waiter.wake.expires_at(until);
  const auto [error] = co_await waiter.wake.async_wait(kQuietly);
  (void)error;
  if (!waiter.granted) drop(waiter);
  co_return waiter.granted;
}

void Lane::leave() {
  if (Waiter* first = next()) {
    first->granted = true;
    first->wake.cancel();
  } else {
    ++free_;
  }
}

void Lane::join(Waiter& waiter, const std::string& peer) {
  auto line = std::find_if(lines_.begin(), lines_.end(), [&](const Line& one) { return one.peer == peer; });
  // Whoever showed a token stands before all others, and stays there.
  if (line == lines_.end()) line = lines_.insert(peer.empty() ? lines_.begin() : lines_.end(), Line{peer, {}});
  line->waiting.push_back(&waiter);
}

void Lane::drop(Waiter& waiter) {
  for (auto line = lines_.begin(); line != lines_.end(); ++line) {
    const auto place = std::find(line->waiting.begin(), line->waiting.end(), &waiter);
    if (place == line->waiting.end()) continue;
    line->waiting.erase(place);
    if (line->waiting.empty()) lines_.erase(line);
    return;
  }
}

Lane::Waiter* Lane::next() {
  if (lines_.empty()) return nullptr;
  const auto line = lines_.begin();
  Waiter* first = line->waiting.front();
  line->waiting.pop_front();
  if (line->waiting.empty())
    lines_.erase(line);
  else if (!line->peer.empty())
    lines_.splice(lines_.end(), lines_, line);
  return first;
}

}  // namespace kernelgate::http

// SPDX-License-Identifier: Apache-2.0
#include "server/http/hub.hpp"

#include <functional>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace kernelgate::http {

namespace asio = boost::asio;

Hub::Hub(asio::io_context& io, int events_queued_max)
    : io_(io), queued_max_(static_cast<std::size_t>(events_queued_max)) {}

Hub::Slot& Hub::slot_of(const std::string& topic) { return slots_[std::hash<std::string>{}(topic) % slots_.size()]; }

void Hub::notify(const std::string& topic) {
  asio::post(io_, [this, topic] { wake(topic); });
}

void Hub::wake(const std::string& topic) {
  Slot& slot = slot_of(topic);
  slot.changed = ++version_;
  for (asio::steady_timer* timer : slot.waiting) timer->cancel();
}

asio::awaitable<void> Hub::wait(std::string topic, std::uint64_t since, asio::steady_timer& timer) {
  Slot& slot = slot_of(topic);
  if (closed_ || slot.changed > since) co_return;
  const auto place = slot.waiting.insert(slot.waiting.end(), &timer);
  co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
  slot.waiting.erase(place);
}

void Hub::close() {
  closed_ = true;
  for (Slot& slot : slots_)
    for (asio::steady_timer* timer : slot.waiting) timer->cancel();
  for (EventReader* reader : readers_) reader->wake.cancel();
}

void Hub::publish(Event event) {
  asio::post(io_, [this, event = std::move(event)] { deliver(event); });
}

void Hub::deliver(const Event& event) {
  const auto text = std::make_shared<const std::string>("id: " + std::to_string(next_event_++) +
                                                        "\nevent: " + event.name + "\ndata: " + event.data + "\n\n");
  for (EventReader* reader : readers_) {
    if (!reader->topic.empty() && reader->topic != event.topic) continue;
    if (reader->dropped) continue;
    reader->dropped = reader->queue.size() >= queued_max_;
    if (reader->dropped)
      reader->close();
    else
      reader->queue.push_back(text);
    reader->wake.cancel();
  }
}

}  // namespace kernelgate::http

// SPDX-License-Identifier: Apache-2.0
#include "server/http/server.hpp"

#include <sys/socket.h>

#include <charconv>
#include <csignal>
#include <map>
#include <string_view>
#include <vector>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "core/log/log.hpp"
#include "core/units/limits.hpp"
#include "server/http/engine.hpp"
#include "server/http/on_pool.hpp"
#include "server/http/session.hpp"

namespace kernelgate::http {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

// What a coroutine let escape is our mistake: logged, and the server lives on.
void log_escape(const std::exception_ptr& error) {
  if (!error) return;
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& caught) {
    log_error(std::string("a session ended by an exception: ") + caught.what());
  } catch (...) {
    log_error("a session ended by an exception of unknown type");
  }
}

asio::awaitable<void> run_session(std::unique_ptr<Session> session) { co_await session->run(); }

// Over the cap: one attempt at saying so, without waiting for the peer.
void turn_away(tcp::socket& socket) {
  static constexpr std::string_view kBusy =
      "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  (void)::send(socket.native_handle(), kBusy.data(), kBusy.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
}

// Of the address with most sessions that wait for an unknown peer the one that has waited longest, closed; false: all
// are at work.
bool displace_one(Engine& engine) {
  std::map<std::string_view, int> waiting;
  for (const Session* session : engine.sessions)
    if (session->waiting_since()) ++waiting[session->peer()];
  Session* chosen = nullptr;
  const auto before = [&](const Session& one, const Session& other) {
    const int ones = waiting[one.peer()], others = waiting[other.peer()];
    return ones != others ? ones > others : *one.waiting_since() < *other.waiting_since();
  };
  for (Session* session : engine.sessions)
    if (session->waiting_since() && (!chosen || before(*session, *chosen))) chosen = session;
  if (chosen == nullptr) return false;
  ++engine.counters.connections_displaced;
  chosen->abort();
  return true;
}

struct Chore {
  std::chrono::milliseconds pause;
  std::function<void()> work;
  asio::steady_timer timer;
};

}  // namespace

struct Server::State {
  State(const ServerConfig& config, App app)
      : engine(config, std::move(app)), acceptor(engine.io), signals(engine.io) {}

  asio::awaitable<void> accept_all();
  asio::awaitable<void> await_signal();
  asio::awaitable<void> repeat(Chore& chore);
  void begin_stop();

  Engine engine;
  tcp::acceptor acceptor;
  asio::signal_set signals;
  std::list<Chore> chores;
};

asio::awaitable<void> Server::State::accept_all() {
  asio::steady_timer pause(engine.io);
  while (!engine.stopping) {
    auto [error, socket] = co_await acceptor.async_accept(kNoThrow);
    if (engine.stopping) co_return;
    if (error) {
      log_warn("accept: " + error.message());
      pause.expires_after(limits::kAcceptPause);
      co_await pause.async_wait(kNoThrow);
      continue;
    }
    // Idle connections that nobody vouches for must not keep runners and hooks out.
    const bool is_full = engine.counters.connections >= engine.config.connections_max;
    if (is_full && !displace_one(engine)) {
      ++engine.counters.connections_refused;
      turn_away(socket);
      continue;
    }
    auto session = std::make_unique<Session>(engine, std::move(socket));
    asio::co_spawn(engine.io, run_session(std::move(session)), log_escape);
  }
}

asio::awaitable<void> Server::State::await_signal() {
  const auto [error, number] = co_await signals.async_wait(kNoThrow);
  if (error) co_return;
  log_info(std::string("stopping on ") + (number == SIGTERM ? "SIGTERM" : "SIGINT"));
  begin_stop();
}

asio::awaitable<void> Server::State::repeat(Chore& chore) {
  auto work = [&chore]() noexcept {
    try {
      chore.work();
    } catch (const std::exception& error) {
      log_error(std::string("a regular chore failed: ") + error.what());
    } catch (...) {
      log_error("a regular chore failed");
    }
    return true;
  };
  while (!engine.stopping) {
    co_await on_pool(engine.reserved, work);
    if (engine.stopping) co_return;
    chore.timer.expires_after(chore.pause);
    co_await chore.timer.async_wait(kNoThrow);
  }
}

void Server::State::begin_stop() {
  if (engine.stopping) return;
  engine.stopping = true;
  boost::system::error_code ignored;
  acceptor.close(ignored);
  signals.cancel(ignored);
  for (Chore& chore : chores) chore.timer.cancel();
  engine.hub.close();
  for (Session* session : engine.sessions) session->stop();
  if (engine.sessions.empty()) return;
  engine.grace.expires_after(engine.config.stop_grace);
  engine.grace.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    log_warn(std::to_string(engine.sessions.size()) + " connections did not end in time and are closed");
    for (Session* session : engine.sessions) session->abort();
  });
}

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}

Server::~Server() {
  state_->engine.reserved.join();
  state_->engine.readers.join();
}

Result<std::unique_ptr<Server>> Server::listen(const ServerConfig& config, App app) {
  auto state = std::make_unique<State>(config, std::move(app));
  boost::system::error_code error;
  const auto address = asio::ip::make_address(config.address, error);
  if (error) return fail(Errc::invalid, "not an IP address: " + config.address, "--listen", "for example 127.0.0.1");
  const tcp::endpoint endpoint(address, config.port);
  const std::string where = config.address + ":" + std::to_string(config.port);
  tcp::acceptor& acceptor = state->acceptor;
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) return fail(Errc::io, "cannot listen: " + error.message(), where, "choose another address or port");
  return std::make_unique<Server>(std::move(state));
}

std::uint16_t Server::port() const {
  boost::system::error_code ignored;
  return state_->acceptor.local_endpoint(ignored).port();
}

std::string Server::url() const {
  const std::string& address = state_->engine.config.address;
  const bool six = address.find(':') != std::string::npos;
  return "http://" + (six ? "[" + address + "]" : address) + ":" + std::to_string(port());
}

void Server::run() {
  State& state = *state_;
  if (state.engine.config.stop_on_signals) {
    state.signals.add(SIGINT);
    state.signals.add(SIGTERM);
    asio::co_spawn(state.engine.io, state.await_signal(), log_escape);
  }
  asio::co_spawn(state.engine.io, state.accept_all(), log_escape);
  for (Chore& chore : state.chores) asio::co_spawn(state.engine.io, state.repeat(chore), log_escape);
  state.engine.io.run();
}

void Server::stop() {
  asio::post(state_->engine.io, [state = state_.get()] { state->begin_stop(); });
}

void Server::notify(const std::string& topic) { state_->engine.hub.notify(topic); }

void Server::publish(Event event) { state_->engine.hub.publish(std::move(event)); }

void Server::every(std::chrono::milliseconds pause, std::function<void()> work) {
  state_->chores.push_back(Chore{pause, std::move(work), asio::steady_timer(state_->engine.io)});
}

Counters Server::counters() const {
  const AtomicCounters& now = state_->engine.counters;
  return Counters{.requests = now.requests,
                  .responses_2xx = now.responses_2xx,
                  .responses_4xx = now.responses_4xx,
                  .responses_5xx = now.responses_5xx,
                  .connections_refused = now.connections_refused,
                  .connections_displaced = now.connections_displaced,
                  .bodies_displaced = now.bodies_displaced,
                  .unheard = now.unheard,
                  .event_readers_dropped = now.event_readers_dropped,
                  .unsigned_bytes = now.unsigned_bytes,
                  .connections = now.connections,
                  .parked = now.parked,
                  .event_readers = now.event_readers};
}

Result<ServerConfig> parse_listen(std::string_view text) {
  const auto colon = text.rfind(':');
  const std::string fix = "give ADDRESS:PORT, for example 127.0.0.1:8080 or [::1]:0";
  if (colon == std::string_view::npos)
    return fail(Errc::invalid, "no port in '" + std::string(text) + "'", "--listen", fix);
  ServerConfig out;
  std::string_view address = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  if (address.size() > 2 && address.front() == '[' && address.back() == ']')
    address = address.substr(1, address.size() - 2);
  if (address == "localhost") address = "127.0.0.1";
  if (!address.empty()) out.address = address;
  const auto [stop, error] = std::from_chars(port.data(), port.data() + port.size(), out.port);
  if (error != std::errc{} || stop != port.data() + port.size())
    return fail(Errc::invalid, "not a port: '" + std::string(port) + "'", "--listen", fix);
  boost::system::error_code bad;
  asio::ip::make_address(out.address, bad);
  if (bad) return fail(Errc::invalid, "not an IP address: '" + out.address + "'", "--listen", fix);
  return out;
}

}  // namespace kernelgate::http

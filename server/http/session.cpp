// SPDX-License-Identifier: Apache-2.0
#include "server/http/session.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cctype>
#include <cerrno>

#include <fmt/format.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>

#include "core/log/log.hpp"
#include "core/units/digest.hpp"
#include "core/units/limits.hpp"
#include "server/http/compress.hpp"
#include "server/http/on_pool.hpp"
#include "server/http/problem.hpp"

namespace kernelgate::http {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bhttp = boost::beast::http;

namespace {

constexpr std::size_t kReadChunk = 16u << 10;

Method to_method(bhttp::verb verb) {
  switch (verb) {
    case bhttp::verb::get: return Method::get;
    case bhttp::verb::head: return Method::head;
    case bhttp::verb::post: return Method::post;
    case bhttp::verb::put: return Method::put;
    case bhttp::verb::patch: return Method::patch;
    case bhttp::verb::delete_: return Method::delete_;
    default: return Method::other;
  }
}

// The last resort: what was not foreseen is logged under an id, and only the id goes out.
Response incident(std::string_view where, std::string_view what) noexcept {
  const std::string id = random_hex(8);
  log_error(fmt::format("incident {} in {}: {}", id, where, what));
  return problem(500, "internal",
                 Error{Errc::io, "the server failed on this request; incident " + id, std::string(where),
                       "report the incident id to whoever runs the server; its log has the cause"});
}

// Headers that every answer carries unless the handler set its own.
constexpr std::pair<std::string_view, std::string_view> kSafeHeaders[] = {
    {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cache-Control", "no-store"},
};

template <class Message>
void set_headers(Message& message, const Response& response) {
  message.set(bhttp::field::server, "kernelgate");
  if (!response.content_type.empty()) message.set(bhttp::field::content_type, response.content_type);
  for (const auto& [name, value] : kSafeHeaders) message.set(beast::string_view(name.data(), name.size()), value);
  for (const auto& [name, value] : response.headers) message.set(name, value);
}

}  // namespace

bool is_malformed(const beast::error_code& error) {
  return error.category() == bhttp::make_error_code(bhttp::error::bad_method).category() &&
         error != bhttp::error::end_of_stream && error != bhttp::error::partial_message;
}

Session::Session(Engine& engine, asio::ip::tcp::socket socket)
    : engine_(engine), open_(engine.counters.connections), stream_(std::move(socket)), buffer_(64u << 10) {
  beast::error_code ignored;
  const auto end = stream_.socket().remote_endpoint(ignored);
  peer_ = ignored ? "unknown" : end.address().to_string();
  stream_.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
  waiting_since_ = std::chrono::steady_clock::now();
  engine_.sessions.push_back(this);
}

Session::~Session() {
  let_go_of_body();
  engine_.sessions.remove(this);
  if (engine_.stopping && engine_.sessions.empty()) engine_.grace.cancel();
}

void Session::stop() {
  if (idle_) stream_.cancel();
}

void Session::abort() {
  waiting_since_.reset();
  stream_.close();
  if (waits_on_) waits_on_->cancel();
}

// No co_await inside a condition: g++ 12 then destroys a temporary that was never made.
asio::awaitable<void> Session::run() {
  bool more = true;
  while (more && !engine_.stopping) {
    more = co_await wait_for_bytes();
    if (more) more = co_await exchange();
  }
  idle_ = true;
  co_await linger();
}

asio::awaitable<bool> Session::wait_for_bytes() {
  if (buffer_.size() > 0) co_return true;
  idle_ = true;
  wait_for_peer();
  stream_.expires_after(engine_.config.idle_max);
  const auto [error, count] = co_await stream_.async_read_some(buffer_.prepare(kReadChunk), kNoThrow);
  buffer_.commit(count);
  idle_ = false;
  co_return !error && count > 0;
}

asio::awaitable<bool> Session::exchange() {
  started_ = std::chrono::steady_clock::now();
  request_ = Request{};
  request_.peer = peer_;
  keep_ = head_only_ = false;
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(limits::kHeaderMax.value));
  parser_->body_limit(engine_.config.body_max.value);
  stream_.expires_after(engine_.config.request_deadline);
  const auto [error, count] = co_await bhttp::async_read_header(stream_, buffer_, *parser_, kNoThrow);
  (void)count;
  if (error) co_return co_await refuse(error);
  waiting_since_.reset();
  Answer out = co_await answer();
  request_.body.clear();
  request_.body.shrink_to_fit();
  let_go_of_body();
  if (gone_) co_return false;
  if (auto* events = std::get_if<EventStream>(&out)) {
    co_await stream_events(std::move(events->topic));
    co_return false;
  }
  co_return co_await write(std::move(std::get<Response>(out)));
}

// Bytes that are no request get an answer where one can still be written; the connection ends either way.
asio::awaitable<bool> Session::refuse(beast::error_code error) {
  std::optional<Response> response;
  if (error == bhttp::error::header_limit)
    response = problem(431, "too_large",
                       Error{Errc::too_large, fmt::format("the header is over {} bytes", limits::kHeaderMax.value), "",
                             "send fewer or shorter headers"});
  else if (error == bhttp::error::body_limit)
    response = problem(Error{Errc::too_large, fmt::format("the body is over {} bytes", engine_.config.body_max.value),
                             "", "send it in smaller parts"});
  else if (is_malformed(error))
    response = problem(Error{Errc::invalid, "not an HTTP/1.1 request: " + error.message(), "", "speak HTTP/1.1"});
  if (!response) co_return false;
  keep_ = false;
  co_return co_await write(std::move(*response));
}

std::optional<Response> Session::take_target() {
  const auto& message = parser_->get();
  request_.method = to_method(message.method());
  head_only_ = request_.method == Method::head;
  for (const auto& field : message) {
    std::string name(field.name_string());
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    request_.headers.emplace_back(std::move(name), std::string(field.value()));
  }
  const std::string_view text(message.target().data(), message.target().size());
  if (text.size() > limits::kTargetMax.value)
    return problem(414, "too_large",
                   Error{Errc::too_large, fmt::format("the target is over {} bytes", limits::kTargetMax.value), "",
                         "ask for less in one request"});
  const auto target = parse_target(text);
  if (!target) return engine_.nowhere(request_, {Errc::invalid, "malformed target", "", "escape it, and no %00"});
  request_.path = target->path;
  request_.query = target->query;
  if (message.version() >= 11 && request_.header("host").empty())
    return problem(Error{Errc::invalid, "no Host header", "header Host", "HTTP/1.1 asks for one"});
  if (!is_ours(engine_.config.hosts, request_.header("host")))
    return problem(421, "invalid",
                   Error{Errc::invalid, "this server has another name", "header Host",
                         "ask it by a name that 'kernelgate server --host' gives it"});
  Match found = match(engine_.app.routes, request_.method, *target);
  if (!found.route && found.allow.empty())
    return engine_.nowhere(request_, {Errc::not_found, "no such path", request_.path, "docs/openapi.yaml lists all"});
  if (!found.route) {
    Response refused = problem(
        405, "invalid",
        Error{Errc::invalid, "this path does not take that method", request_.path, "use one of " + found.allow});
    refused.headers.emplace_back("Allow", found.allow);
    return refused;
  }
  route_ = *found.route;
  request_.parameters = std::move(found.parameters);
  return std::nullopt;
}

std::optional<Response> Session::admit_now() noexcept {
  try {
    const Access access = engine_.app.routes[route_].access;
    if (access == Access::open) return engine_.app.check_head ? engine_.app.check_head(route_, request_) : std::nullopt;
    auto identity = engine_.app.identify(request_);
    if (!identity) return problem(identity.error());
    request_.identity = std::move(*identity);
    const auto admitted = admit(access, request_.identity);
    return admitted ? std::nullopt : std::optional(problem(admitted.error()));
  } catch (const std::exception& error) {
    return incident(request_.path, error.what());
  } catch (...) {
    return incident(request_.path, "an exception of unknown type");
  }
}

// A stream outlives the moment in which its reader was let in: a login ends, a token is revoked.
bool Session::still_welcome() noexcept {
  const Access access = engine_.app.routes[route_].access;
  if (access == Access::open) return true;
  request_.asked_again = true;
  try {
    const auto now = engine_.app.identify(request_);
    return now && now->token == request_.identity.token && now->login == request_.identity.login &&
           admit(access, *now).has_value();
  } catch (...) {
    return false;  // the reader comes again, and is told why
  }
}

Answer Session::handle_now() noexcept {
  try {
    Answer out = engine_.app.handle(route_, request_);
    if (auto* response = std::get_if<Response>(&out)) compress(*response, request_.header("accept-encoding"));
    return out;
  } catch (const std::exception& error) {
    return incident(request_.path, error.what());
  } catch (...) {
    return incident(request_.path, "an exception of unknown type");
  }
}

// The token is looked at before the body is read, so that untrusted people cannot make the server hold megabytes.
asio::awaitable<Answer> Session::answer() {
  keep_ = parser_->is_done() && parser_->get().keep_alive();
  auto refused = take_target();
  if (refused) co_return std::move(*refused);
  auto admit_work = [this]() noexcept { return admit_now(); };
  refused = co_await on_pool(engine_.reserved, admit_work);
  if (refused) co_return std::move(*refused);
  refused = co_await read_body();
  if (refused) co_return std::move(*refused);
  if (gone_) co_return Response{};
  keep_ = parser_->get().keep_alive();
  const std::uint64_t since = engine_.hub.version();
  Answer first = co_await work();
  co_return co_await parked(std::move(first), since);
}

asio::awaitable<Answer> Session::parked(Answer first, std::uint64_t since) {
  Answer out = std::move(first);
  stream_.expires_never();
  while (const auto* park = std::get_if<Park>(&out)) {
    gone_ = !stream_.socket().is_open();  // it gave way while the handler was at work, when nothing could wake it
    if (gone_) co_return Response{};
    const Gauge waiting(engine_.counters.parked);
    const auto until = started_ + park->limit;
    if (request_.last_chance) co_return incident(request_.path, "the handler parked on its last chance");
    asio::steady_timer timer(engine_.io, until);
    wait_for_peer();
    waits_on_ = &timer;
    co_await engine_.hub.wait(park->topic, since, timer);
    waits_on_ = nullptr;
    waiting_since_.reset();
    gone_ = peer_is_gone();
    if (gone_) co_return Response{};
    since = engine_.hub.version();
    request_.last_chance = engine_.stopping || std::chrono::steady_clock::now() >= until;
    out = co_await work();
    if (gone_) co_return Response{};
  }
  co_return out;
}

asio::awaitable<bool> Session::write(Response response) {
  const bool keep = keep_ && !engine_.stopping;
  const int status = response.status;
  const unsigned version = std::clamp(parser_->get().version(), 10u, 11u);
  const std::size_t bytes = response.body.size();
  wait_for_peer();
  stream_.expires_after(engine_.config.request_deadline);
  engine_.counters.count(status);
  log_access(status, head_only_ ? 0 : bytes);
  if (head_only_ || status == 204) {
    bhttp::response<bhttp::empty_body> message(bhttp::int_to_status(static_cast<unsigned>(status)), version);
    set_headers(message, response);
    if (status != 204) message.content_length(bytes);
    message.keep_alive(keep);
    const auto [error, sent] = co_await bhttp::async_write(stream_, message, kNoThrow);
    (void)sent;
    co_return !error && keep;
  }
  bhttp::response<bhttp::string_body> message(bhttp::int_to_status(static_cast<unsigned>(status)), version);
  set_headers(message, response);
  message.body() = std::move(response.body);
  message.keep_alive(keep);
  message.prepare_payload();
  const auto [error, sent] = co_await bhttp::async_write(stream_, message, kNoThrow);
  (void)sent;
  co_return !error && keep;
}

// Closing with unread bytes would reset the connection and could take the answer along.
asio::awaitable<void> Session::linger() {
  beast::error_code error;
  stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, error);
  if (error || engine_.stopping) co_return;
  buffer_.clear();
  stream_.expires_after(limits::kLingerMax);
  for (;;) {
    const auto [failed, count] = co_await stream_.async_read_some(buffer_.prepare(kReadChunk), kNoThrow);
    if (failed || count == 0) co_return;
  }
}

bool Session::peer_is_gone() {
  char byte = 0;
  const ssize_t got = ::recv(stream_.socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
}

void Session::log_access(int status, std::size_t bytes) const {
  if (!engine_.config.access_log) return;
  const auto took = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started_);
  log_info(fmt::format("{} {} {} {} {} bytes {:.1f} ms {}", peer_, to_string(request_.method),
                       request_.path.empty() ? "-" : request_.path, status, bytes, took.count(),
                       request_.identity.name.empty() ? "-" : request_.identity.name));
}

}  // namespace kernelgate::http

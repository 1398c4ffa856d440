// SPDX-License-Identifier: Apache-2.0
#pragma once

// A running server with a few routes, for tests of the http layer over real sockets.

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "server/http/server.hpp"
#include "tests/support/raw_client.hpp"

namespace kernelgate::http {

using namespace std::chrono_literals;

inline constexpr Route kTestRoutes[] = {
    {Method::get, "/hello", Access::open},   {Method::post, "/echo", Access::open},
    {Method::get, "/secret", Access::admin}, {Method::post, "/secret", Access::admin},
    {Method::get, "/throw", Access::open},   {Method::get, "/wait/{topic}", Access::open},
    {Method::get, "/events", Access::open},  {Method::get, "/things/{name}", Access::open},
    {Method::post, "/mine", Access::read},
};

// A running server of the routes above. `value` is what /wait waits for.
class HttpFixture : public ::testing::Test {
 protected:
  void start(ServerConfig config = {}) {
    config.stop_on_signals = stop_on_signals_;
    auto server = Server::listen(
        config, App{.routes = kTestRoutes,
                    .identify = [](const Request& request) { return identify(request); },
                    .handle = [this](std::size_t route, const Request& request) { return handle(route, request); }});
    ASSERT_TRUE(server) << to_string(server.error());
    server_ = std::move(*server);
    thread_ = std::thread([this] { server_->run(); });
  }

  void TearDown() override {
    if (server_) server_->stop();
    if (thread_.joinable()) thread_.join();
  }

  static Result<Identity> identify(const Request& request) {
    const auto given = request.header("authorization");
    if (given.empty()) return Identity{};
    if (given == "Bearer admin") return Identity{.role = Role::admin, .token = TokenId{1}, .name = "admin"};
    if (given == "Bearer reader") return Identity{.role = Role::read, .token = TokenId{2}, .name = "reader"};
    return fail(Errc::unauthorized, "unknown token");
  }

  Answer handle(std::size_t route, const Request& request) {
    switch (route) {
      case 0: return Response{.status = 200, .content_type = "text/plain", .body = "hello", .headers = {}};
      case 1:
      case 8: return Response{.status = 200, .content_type = "text/plain", .body = request.body, .headers = {}};
      case 4: throw std::runtime_error("a bug with a secret in it");
      case 5:
        if (value_ > 0) return Response{.status = 200, .content_type = "text/plain", .body = "changed", .headers = {}};
        if (request.last_chance) return Response{.status = 204, .content_type = {}, .body = {}, .headers = {}};
        return Park{std::string(request.parameter("topic")), wait_limit_};
      case 6: return EventStream{std::string(request.query_value("topic").value_or(""))};
      case 7:
        return Response{
            .status = 200,
            .content_type = "text/plain",
            .body = std::string(request.parameter("name")) + "?" + std::string(request.query_value("q").value_or("")),
            .headers = {}};
      default: return Response{.status = 200, .content_type = "text/plain", .body = "secret", .headers = {}};
    }
  }

  // Waits (without a fixed sleep) until `ready`, for 20 s at most.
  template <class Ready>
  static bool eventually(Ready ready) {
    const auto until = std::chrono::steady_clock::now() + 20s;
    while (!ready()) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(2ms);
    }
    return true;
  }

  bool stop_on_signals_ = false;
  std::atomic<int> value_{0};
  std::chrono::milliseconds wait_limit_{20000};
  std::unique_ptr<Server> server_;
  std::thread thread_;
};

}  // namespace kernelgate::http

// SPDX-License-Identifier: Apache-2.0
#include "tests/support/http_fixture.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <thread>

namespace kernelgate::http {
namespace waiting_test {

using HttpWaiting = HttpFixture;

TEST_F(HttpWaiting, AParkedRequestIsAnsweredWhenItsTopicChanges) {
  ServerConfig config;
  config.pool_threads = 1;  // waiting must not hold a pool thread
  start(config);
  RawClient waiting(server_->port()), other(server_->port());
  waiting.send("GET /wait/runs HTTP/1.1\r\nHost: t\r\n\r\n");
  EXPECT_TRUE(eventually([&] { return server_->counters().parked == 1; }));
  EXPECT_EQ(other.ask("GET", "/hello")->status, 200);
  value_ = 1;
  server_->notify("runs");
  EXPECT_EQ(waiting.read()->body, "changed");
  EXPECT_EQ(waiting.ask("GET", "/hello")->status, 200);
}

TEST_F(HttpWaiting, AParkedRequestEndsAtItsLimit) {
  start();
  wait_limit_ = 100ms;
  RawClient client(server_->port());
  EXPECT_EQ(client.ask("GET", "/wait/runs")->status, 204);
}

TEST_F(HttpWaiting, AParkedRequestOfADepartedPeerIsNotRunAgain) {
  start();
  auto client = std::make_unique<RawClient>(server_->port());
  client->send("GET /wait/runs HTTP/1.1\r\nHost: t\r\n\r\n");
  EXPECT_TRUE(eventually([&] { return server_->counters().parked == 1; }));
  const auto answered = server_->counters().requests;
  client.reset();
  server_->notify("runs");
  EXPECT_TRUE(eventually([&] { return server_->counters().connections == 0; }));
  EXPECT_EQ(server_->counters().requests, answered);
}

TEST_F(HttpWaiting, ManyWaitersAndNotifiersLoseNothing) {
  start();
  std::vector<std::thread> clients;
  std::atomic<int> changed{0};
  for (int i = 0; i < 16; ++i)
    clients.emplace_back([&] {
      RawClient client(server_->port());
      const auto answer = client.ask("GET", "/wait/runs");
      if (answer && answer->body == "changed") ++changed;
    });
  std::thread noise([&] {
    for (int i = 0; i < 200; ++i) server_->notify("runs");
    value_ = 1;
    server_->notify("runs");
  });
  for (std::thread& client : clients) client.join();
  noise.join();
  EXPECT_EQ(changed, 16);
}

TEST_F(HttpWaiting, EventsReachTheirReaders) {
  start();
  RawClient all(server_->port()), one(server_->port());
  all.send("GET /events HTTP/1.1\r\nHost: t\r\nAccept-Encoding: gzip\r\n\r\n");  // which a stream never gets
  one.send("GET /events?topic=b HTTP/1.1\r\nHost: t\r\n\r\n");
  EXPECT_NE(all.read_until("retry: 2000\n\n").find("text/event-stream"), std::string::npos);
  one.read_until("retry: 2000\n\n");
  server_->publish(Event{"a", "run", "{\"id\":1}"});
  server_->publish(Event{"b", "run", "{\"id\":2}"});
  EXPECT_EQ(all.read_until("data: {\"id\":2}\n\n"),
            "id: 1\nevent: run\ndata: {\"id\":1}\n\nid: 2\nevent: run\ndata: {\"id\":2}\n\n");
  EXPECT_EQ(one.read_until("\n\n"), "id: 2\nevent: run\ndata: {\"id\":2}\n\n");
}

TEST_F(HttpWaiting, AQuietEventStreamIsKeptAliveAndASlowReaderIsDropped) {
  ServerConfig config;
  config.events_queued_max = 4;
  config.event_keep_alive = 50ms;
  start(config);
  RawClient reader(server_->port());
  reader.send("GET /events HTTP/1.1\r\nHost: t\r\n\r\n");
  EXPECT_NE(reader.read_until(": still here").find(": still here"), std::string::npos);
  const std::string large(1u << 20, 'x');
  EXPECT_TRUE(eventually([&] {
    server_->publish(Event{"", "run", large});
    return server_->counters().event_readers_dropped == 1;
  }));
}

TEST_F(HttpWaiting, StopAnswersTheParkedAndEndsTheStreams) {
  start();
  RawClient waiting(server_->port()), events(server_->port()), idle(server_->port());
  waiting.send("GET /wait/runs HTTP/1.1\r\nHost: t\r\n\r\n");
  events.send("GET /events HTTP/1.1\r\nHost: t\r\n\r\n");
  EXPECT_EQ(idle.ask("GET", "/hello")->status, 200);
  EXPECT_TRUE(eventually([&] { return server_->counters().parked == 1 && server_->counters().event_readers == 1; }));
  server_->stop();
  const auto answer = waiting.read();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 204);
  EXPECT_EQ(answer->headers.at("connection"), "close");
  thread_.join();
  EXPECT_TRUE(idle.closed());
  EXPECT_THROW(RawClient(server_->port()), std::runtime_error);
}

TEST_F(HttpWaiting, StopDoesNotWaitForeverForASlowWriter) {
  ServerConfig config;
  config.stop_grace = 100ms;
  start(config);
  RawClient slow(server_->port());
  slow.send("POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 10\r\n\r\nab");
  EXPECT_TRUE(eventually([&] { return server_->counters().connections == 1; }));
  server_->stop();
  thread_.join();
  EXPECT_TRUE(slow.closed());
}

TEST_F(HttpWaiting, SigtermStopsWhileALongPollWaits) {
  stop_on_signals_ = true;
  start();
  RawClient waiting(server_->port());
  waiting.send("GET /wait/runs HTTP/1.1\r\nHost: t\r\n\r\n");
  EXPECT_TRUE(eventually([&] { return server_->counters().parked == 1; }));
  ::kill(::getpid(), SIGTERM);
  EXPECT_EQ(waiting.read()->status, 204);
  thread_.join();
}

TEST_F(HttpWaiting, ChoresRunAgainAndAgainAndSurviveAnException) {
  std::atomic<int> ran{0};
  auto server = Server::listen({}, App{.routes = kTestRoutes, .identify = identify, .handle = {}});
  ASSERT_TRUE(server);
  (*server)->every(1ms, [&] {
    if (++ran == 2) throw std::runtime_error("once");
  });
  server_ = std::move(*server);
  thread_ = std::thread([this] { server_->run(); });
  EXPECT_TRUE(eventually([&] { return ran > 5; }));
}

}  // namespace waiting_test
}  // namespace kernelgate::http

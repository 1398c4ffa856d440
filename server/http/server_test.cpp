// SPDX-License-Identifier: Apache-2.0
#include "tests/support/http_fixture.hpp"

#include <gtest/gtest.h>
#include <time.h>

#include <list>
#include <random>

#include "server/http/compress.hpp"

namespace kernelgate::http {
namespace server_test {

using HttpServer = HttpFixture;

TEST_F(HttpServer, AnswersAndKeepsTheConnection) {
  start();
  RawClient client(server_->port());
  for (int i = 0; i < 3; ++i) {
    const auto answer = client.ask("GET", "/hello");
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200);
    EXPECT_EQ(answer->body, "hello");
    EXPECT_EQ(answer->headers.at("x-content-type-options"), "nosniff");
    EXPECT_EQ(answer->headers.at("content-security-policy"), "default-src 'none'; frame-ancestors 'none'");
    EXPECT_EQ(answer->headers.at("cache-control"), "no-store");
  }
}

TEST_F(HttpServer, HeadTellsTheLengthAndSendsNoBody) {
  start();
  RawClient client(server_->port());
  const auto head = client.ask("HEAD", "/hello");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->headers.at("content-length"), "5");
  EXPECT_EQ(client.ask("GET", "/hello")->body, "hello");
}

TEST_F(HttpServer, CompressesWhatTheAskerTakesWithItsOwnLength) {
  start();
  RawClient client(server_->port());
  const std::string text(5000, 'a');
  const auto plain = client.ask("POST", "/echo", {}, text);
  EXPECT_EQ(plain->body, text);
  EXPECT_EQ(plain->headers.at("vary"), "Accept-Encoding");
  const auto packed = client.ask("POST", "/echo", "Accept-Encoding: br, gzip\r\n", text);
  EXPECT_EQ(packed->headers.at("content-encoding"), "gzip");
  EXPECT_EQ(packed->headers.at("content-length"), std::to_string(packed->body.size()));
  EXPECT_EQ(packed->body, compressed(text, Coding::gzip));
  const auto head = client.ask("HEAD", "/things/" + text.substr(0, 2000), "Accept-Encoding: gzip\r\n");
  const auto got = client.ask("GET", "/things/" + text.substr(0, 2000), "Accept-Encoding: gzip\r\n");
  EXPECT_EQ(head->headers.at("content-length"), std::to_string(got->body.size()));
  EXPECT_EQ(client.ask("GET", "/hello", "Accept-Encoding: gzip\r\n")->body, "hello");
}

TEST_F(HttpServer, PipelinedRequestsAreAnsweredInOrder) {
  start();
  RawClient client(server_->port());
  client.send(
      "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\n\r\noneGET /hello HTTP/1.1\r\nHost: t\r\n\r\n"
      "POST /mine HTTP/1.1\r\nHost: t\r\nAuthorization: Bearer reader\r\nTransfer-Encoding: "
      "chunked\r\n\r\n5\r\nthree\r\n0\r\n\r\n");
  EXPECT_EQ(client.read()->body, "one");
  EXPECT_EQ(client.read()->body, "hello");
  EXPECT_EQ(client.read()->body, "three");
}

TEST_F(HttpServer, OldClientsAndCloseEndTheConnection) {
  start();
  RawClient old(server_->port());
  old.send("GET /hello HTTP/1.0\r\n\r\n");
  EXPECT_EQ(old.read()->status, 200);
  EXPECT_TRUE(old.closed());
  RawClient closing(server_->port());
  EXPECT_EQ(closing.ask("GET", "/hello", "Connection: close\r\n")->status, 200);
  EXPECT_TRUE(closing.closed());
}

TEST_F(HttpServer, DecodesPathAndQuery) {
  start();
  RawClient client(server_->port());
  EXPECT_EQ(client.ask("GET", "/things/a%2Fb%20c?q=x%26y+z")->body, "a/b c?x&y z");
}

TEST_F(HttpServer, RefusalsAreProblemDocuments) {
  struct Case {
    const char *name, *method, *target, *headers;
    int status;
  };
  const Case cases[] = {
      {"no such path", "GET", "/nowhere", "", 404},
      {"wrong method", "POST", "/hello", "", 405},
      {"method unknown to us", "PATCH", "/hello", "", 405},
      {"bad escape", "GET", "/%zz", "", 400},
      {"dots", "GET", "/../etc/passwd", "", 400},
      {"no token", "GET", "/secret", "", 401},
      {"wrong token", "GET", "/secret", "Authorization: Bearer wrong\r\n", 401},
      {"wrong role", "GET", "/secret", "Authorization: Bearer reader\r\n", 403},
  };
  start();
  for (const Case& test : cases) {
    RawClient client(server_->port());
    const auto answer = client.ask(test.method, test.target, test.headers);
    ASSERT_TRUE(answer) << test.name;
    EXPECT_EQ(answer->status, test.status) << test.name;
    EXPECT_EQ(answer->headers.at("content-type"), "application/problem+json") << test.name;
  }
  RawClient client(server_->port());
  EXPECT_EQ(client.ask("PUT", "/hello")->headers.at("allow"), "GET, HEAD");
}

TEST_F(HttpServer, AKnownTokenOpensTheDoor) {
  start();
  RawClient client(server_->port());
  EXPECT_EQ(client.ask("GET", "/secret", "Authorization: Bearer admin\r\n")->body, "secret");
}

TEST_F(HttpServer, MalformedBytesGet400AndTheEnd) {
  start();
  for (const char* bytes : {"nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET  /hello HTTP/1.1\r\n\r\n",
                            "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: x\r\n\r\n",
                            "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
                            "GET /hello HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"}) {
    RawClient client(server_->port());
    client.send(bytes);
    const auto answer = client.read();
    ASSERT_TRUE(answer) << bytes;
    EXPECT_EQ(answer->status, 400) << bytes;
  }
}

TEST_F(HttpServer, HeadersTargetsAndBodiesHaveALimit) {
  ServerConfig config;
  config.body_max = Bytes{1000};
  start(config);
  RawClient header(server_->port());
  header.send("GET /hello HTTP/1.1\r\nHost: t\r\nX: " + std::string(20000, 'x') + "\r\n\r\n");
  EXPECT_EQ(header.read()->status, 431);
  EXPECT_TRUE(header.closed());
  RawClient target(server_->port());
  EXPECT_EQ(target.ask("GET", "/hello?" + std::string(5000, 'x'))->status, 414);
  RawClient told(server_->port());
  EXPECT_EQ(told.ask("POST", "/echo", {}, std::string(1001, 'x'))->status, 413);
  RawClient chunked(server_->port());
  chunked.send(
      "POST /mine HTTP/1.1\r\nHost: t\r\nAuthorization: Bearer reader\r\nTransfer-Encoding: chunked\r\n\r\n"
      "7d0\r\n" +
      std::string(2000, 'x'));
  EXPECT_EQ(chunked.read()->status, 413);
  RawClient fits(server_->port());
  EXPECT_EQ(fits.ask("POST", "/echo", {}, std::string(1000, 'x'))->body.size(), 1000U);
}

TEST_F(HttpServer, ARefusedLargeBodyStillGetsItsAnswer) {
  start();
  RawClient client(server_->port());
  const auto answer = client.ask("POST", "/secret", {}, std::string(4u << 20, 'x'));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 401);
}

TEST_F(HttpServer, ExpectContinueIsHonoured) {
  start();
  RawClient client(server_->port());
  client.send("POST /echo HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.read()->status, 100);
  client.send("ok");
  EXPECT_EQ(client.read()->body, "ok");
}

TEST_F(HttpServer, AnExceptionBecomesAnIncidentWithoutItsText) {
  start();
  RawClient client(server_->port());
  const auto answer = client.ask("GET", "/throw");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 500);
  EXPECT_NE(answer->body.find("incident"), std::string::npos);
  EXPECT_EQ(answer->body.find("secret"), std::string::npos);
  EXPECT_EQ(client.ask("GET", "/hello")->status, 200);
}

TEST_F(HttpServer, ASlowWriterIsCutOff) {
  ServerConfig config;
  config.request_deadline = 300ms;
  start(config);
  RawClient header(server_->port());
  header.send("GET /hello HTTP/1.1\r\nHo");
  EXPECT_TRUE(header.closed());
  RawClient body(server_->port());
  body.send("POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 10\r\n\r\nab");
  EXPECT_TRUE(body.closed());
  RawClient drip(server_->port());
  const std::string slow = "GET /hello HTTP/1.1\r\nHost: " + std::string(200, 'x') + "\r\n\r\n";
  bool cut = false;
  for (std::size_t i = 0; i < slow.size() && !cut; ++i) {
    cut = !drip.send(slow.substr(i, 1));
    std::this_thread::sleep_for(20ms);
  }
  EXPECT_TRUE(cut || drip.closed());
}

TEST_F(HttpServer, AnIdleConnectionIsClosed) {
  ServerConfig config;
  config.idle_max = 200ms;
  start(config);
  RawClient client(server_->port());
  EXPECT_EQ(client.ask("GET", "/hello")->status, 200);
  EXPECT_TRUE(client.closed());
}

// Upstream's example looped for ever here.
TEST_F(HttpServer, AClosedPeerEndsItsSession) {
  start();
  for (int i = 0; i < 20; ++i) {
    RawClient client(server_->port());
    EXPECT_EQ(client.ask("GET", "/hello")->status, 200);
  }
  EXPECT_TRUE(eventually([&] { return server_->counters().connections == 0; }));
  timespec before{}, after{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  std::this_thread::sleep_for(300ms);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  const auto seconds = static_cast<double>(after.tv_sec - before.tv_sec);
  const double used = seconds + 1e-9 * static_cast<double>(after.tv_nsec - before.tv_nsec);
  EXPECT_LT(used, 0.15);
}

TEST_F(HttpServer, ConnectionsAtWorkHaveACap) {
  ServerConfig config;
  config.connections_max = 2;
  config.event_readers_max = 2;
  start(config);
  RawClient one(server_->port()), two(server_->port());
  one.send("GET /events HTTP/1.1\r\nHost: t\r\n\r\n");
  two.send("GET /events HTTP/1.1\r\nHost: t\r\n\r\n");
  EXPECT_TRUE(eventually([&] { return server_->counters().event_readers == 2; }));
  RawClient three(server_->port());
  EXPECT_EQ(three.read()->status, 503);
  one.close();
  EXPECT_TRUE(eventually([&] { return server_->counters().connections == 1; }));
  RawClient four(server_->port());
  EXPECT_EQ(four.ask("GET", "/hello")->status, 200);
  EXPECT_EQ(server_->counters().connections_refused, 1U);
}

// 512 of them closed the gate: 503 for everybody new, and the hook let pushes through.
TEST_F(HttpServer, IdleConnectionsGiveWay) {
  ServerConfig config;
  config.connections_max = 8;
  start(config);
  std::list<RawClient> idle;
  for (int i = 0; i < 40; ++i) {
    idle.emplace_back(server_->port());
    if (i % 2 == 0) idle.back().send("POST /echo HTTP/1.1\r\nHost: t\r\n");  // a header without an end
    if (i % 5 == 0) {
      RawClient worker(server_->port());
      const auto answer = worker.ask("GET", "/hello");
      ASSERT_TRUE(answer);
      EXPECT_EQ(answer->status, 200);
    }
  }
  EXPECT_GT(server_->counters().connections_displaced, 20U);
  EXPECT_EQ(server_->counters().connections_refused, 0U);
}

TEST_F(HttpServer, ReadersOfEventsHaveACapOfTheirOwn) {
  ServerConfig config;
  config.event_readers_max = 1;
  start(config);
  RawClient one(server_->port()), two(server_->port());
  one.send("GET /events HTTP/1.1\r\nHost: t\r\n\r\n");
  EXPECT_TRUE(eventually([&] { return server_->counters().event_readers == 1; }));
  EXPECT_EQ(two.ask("GET", "/events")->status, 503);
}

TEST_F(HttpServer, RandomBytesNeverHurt) {
  start();
  std::mt19937 random(7);
  const std::string seed = "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nhello";
  for (int round = 0; round < 300; ++round) {
    std::string bytes = seed;
    const unsigned changes = 1 + random() % 8;
    for (unsigned i = 0; i < changes; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    if (round % 5 == 0)
      for (char& byte : bytes) byte = static_cast<char>(random());
    RawClient client(server_->port());
    client.send(bytes);
    client.finish_sending();
    client.read();
  }
  RawClient client(server_->port());
  EXPECT_EQ(client.ask("GET", "/hello")->status, 200);
  EXPECT_TRUE(eventually([&] { return server_->counters().connections == 1; }));
}

TEST(ParseListen, TakesAddressAndPort) {
  struct Case {
    const char* text;
    const char* address;
    int port;
  };
  for (const Case& test : {Case{"127.0.0.1:8080", "127.0.0.1", 8080}, Case{":0", "127.0.0.1", 0},
                           Case{"[::1]:9", "::1", 9}, Case{"localhost:1", "127.0.0.1", 1}}) {
    const auto got = parse_listen(test.text);
    ASSERT_TRUE(got) << test.text;
    EXPECT_EQ(got->address, test.address);
    EXPECT_EQ(got->port, test.port);
  }
  for (const char* bad : {"", "8080", "host:1", "1.2.3.4:", "1.2.3.4:70000", "1.2.3.4:8x", "1.2.3.4:-1"})
    EXPECT_FALSE(parse_listen(bad)) << bad;
}

TEST(Listen, AnAddressInUseIsAnError) {
  auto first = Server::listen({}, {});
  ASSERT_TRUE(first);
  ServerConfig config;
  config.port = (*first)->port();
  const auto second = Server::listen(config, {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Errc::io);
}

}  // namespace server_test
}  // namespace kernelgate::http

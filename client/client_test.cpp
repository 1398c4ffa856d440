// SPDX-License-Identifier: Apache-2.0
#include "client/client.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "core/wire/codec.hpp"
#include "tests/support/scripted_server.hpp"

namespace kernelgate {
namespace client_test {

using namespace std::chrono_literals;

ClientOptions options_for(const std::string& url) {
  return {.server = url,
          .token = "kg_secret",
          .retry_for = 20s,
          .timeout = 10s,
          .first_pause = 1ms,
          .pause_max = 2ms,
          .stop = {}};
}

Client client_for(const ScriptedServer& server) { return Client::create(options_for(server.url())).value(); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

wire::Run finished_run() {
  wire::Run run;
  run.id = 7;
  run.state = RunState::done;
  run.conclusion = Conclusion::passed;
  run.exit_code = 0;
  return run;
}

// A port on which nobody listens: it was ours a moment ago.
std::string url_of_nobody() {
  const ScriptedServer server([](const std::string&, int) { return std::string(); });
  return server.url();
}

TEST(Client, SendsTokenBodyAndPath) {
  const ScriptedServer server([](const std::string&, int) {
    return http_answer(202, wire::encode(wire::TriggerReply{
                                .run = 5, .state = RunState::queued, .reused_from = {}, .url = "/runs/5"}));
  });
  wire::Trigger trigger;
  trigger.repository = "größe \"x\"";
  trigger.commit = std::string(40, 'a');
  const auto reply = client_for(server).trigger(trigger);
  ASSERT_TRUE(reply) << to_string(reply.error());
  EXPECT_EQ(reply->run, 5);
  const std::string request = server.requests().at(0);
  EXPECT_TRUE(has(request, "POST /api/v1/triggers HTTP/1.1\r\n")) << request;
  EXPECT_TRUE(has(request, "Authorization: Bearer kg_secret\r\n")) << request;
  EXPECT_TRUE(has(request, "Content-Type: application/json\r\n")) << request;
  EXPECT_EQ(wire::decode<wire::Trigger>(request.substr(request.find("\r\n\r\n") + 4)).value().repository,
            trigger.repository);
}

TEST(Client, EscapesNamesInPaths) {
  const ScriptedServer server([](const std::string&, int) { return http_answer(200, wire::encode(wire::RunPage{})); });
  ASSERT_TRUE(
      client_for(server).runs({.repository = "a/b&c é", .commit = "", .state = "done", .limit = 5, .before = "9"}));
  EXPECT_TRUE(
      has(server.requests().at(0), "GET /api/v1/runs?repository=a%2Fb%26c%20%C3%A9&state=done&limit=5&before=9 "))
      << server.requests().at(0);
}

TEST(Client, ASentManifestIsToml) {
  const ScriptedServer server(
      [](const std::string&, int) { return http_answer(200, wire::encode(wire::Repository{})); });
  ASSERT_TRUE(client_for(server).put_manifest("r", "schema = 1\n"));
  EXPECT_TRUE(has(server.requests().at(0), "PUT /api/v1/repositories/r/manifest ")) << server.requests().at(0);
  EXPECT_TRUE(has(server.requests().at(0), "Content-Type: application/toml\r\n"));
}

TEST(Client, TurnsAProblemDocumentIntoAnError) {
  const ScriptedServer server([](const std::string&, int) {
    return http_answer(404, wire::encode(wire::Problem{.title = "Not Found",
                                                       .status = 404,
                                                       .detail = "no run 7",
                                                       .where = "run 7",
                                                       .code = "not_found",
                                                       .fix = "list the runs"}));
  });
  const auto run = client_for(server).run(7);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, Errc::not_found);
  EXPECT_EQ(to_string(run.error()), server.url() + "/api/v1/runs/7: run 7: no run 7 (list the runs)");
  EXPECT_EQ(server.requests().size(), 1U) << "a refusal is not repeated";
}

TEST(Client, AStatusWithoutAProblemDocumentStillHasItsCode) {
  struct Case {
    int status;
    Errc code;
  };
  for (const Case c : {Case{400, Errc::invalid}, Case{401, Errc::unauthorized}, Case{403, Errc::forbidden},
                       Case{409, Errc::conflict}, Case{413, Errc::too_large}, Case{418, Errc::invalid}}) {
    const ScriptedServer server([&](const std::string&, int) { return http_answer(c.status, "<html>"); });
    const auto run = client_for(server).run(7);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, c.code) << c.status;
  }
}

TEST(Client, RepeatsWhatIsSafeWhileTheServerIsAway) {
  const ScriptedServer server([](const std::string&, int number) {
    if (number == 0) return http_answer(503, "");
    if (number == 1) return std::string();
    if (number == 2) return http_answer(429, "");
    return http_answer(200, wire::encode(wire::UploadReply{.stored = 1}));
  });
  const auto reply = client_for(server).upload(7, {.lease = "l", .processes = {}});
  ASSERT_TRUE(reply) << to_string(reply.error());
  EXPECT_EQ(reply->stored, 1);
  EXPECT_EQ(server.requests().size(), 4U);
  EXPECT_TRUE(has(server.requests().at(3), "POST /api/v1/runner/runs/7/processes "));
}

TEST(Client, DoesNotRepeatAClaimTheServerMayHaveSeen) {
  for (const std::string& answer : {http_answer(500, ""), std::string()}) {
    const ScriptedServer server([&](const std::string&, int) { return answer; });
    EXPECT_FALSE(client_for(server).claim({.runner = "r", .testbed = {}, .has_gpu = false, .wait_s = 0}));
    EXPECT_EQ(server.requests().size(), 1U);
  }
}

TEST(Client, AnEmptyClaimIsNoError) {
  const ScriptedServer server([](const std::string&, int) { return http_answer(204, ""); });
  const auto claim = client_for(server).claim({.runner = "r", .testbed = {}, .has_gpu = false, .wait_s = 0});
  ASSERT_TRUE(claim) << to_string(claim.error());
  EXPECT_FALSE(*claim);
}

TEST(Client, SaysThatNobodyAnswers) {
  ClientOptions options = options_for(url_of_nobody());
  options.retry_for = 0ms;
  const auto run = Client::create(options).value().run(7);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, Errc::unavailable);
  EXPECT_TRUE(is_away(run.error()));
  EXPECT_TRUE(has(run.error().what, "cannot be reached")) << run.error().what;
}

TEST(Client, AnAnswerThatIsNotOursIsCorrupt) {
  const ScriptedServer server([](const std::string&, int) { return http_answer(200, "<html>hello"); });
  const auto run = client_for(server).run(7);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, Errc::corrupt);
}

TEST(Client, AStopEndsTheWaitForAnAbsentServer) {
  std::stop_source stop;
  ClientOptions options = options_for(url_of_nobody());
  options.retry_for = 1h;
  options.first_pause = options.pause_max = 1h;
  options.stop = stop.get_token();
  Client client = Client::create(options).value();
  std::thread stopper([&] { stop.request_stop(); });
  EXPECT_FALSE(client.run(7));
  stopper.join();
}

TEST(Client, WaitsForARunByLongPoll) {
  const ScriptedServer server([](const std::string&, int number) {
    wire::Run run = finished_run();
    if (number == 0) run.state = RunState::measuring;
    return http_answer(200, wire::encode(run));
  });
  std::vector<RunState> seen;
  const auto run = client_for(server).wait_for_run(7, 60s, [&](const wire::Run& now) { seen.push_back(now.state); });
  ASSERT_TRUE(run) << to_string(run.error());
  EXPECT_EQ(run->conclusion, Conclusion::passed);
  EXPECT_EQ(seen, (std::vector{RunState::measuring, RunState::done}));
  EXPECT_TRUE(has(server.requests().at(0), "GET /api/v1/runs/7?wait_s=25 ")) << server.requests().at(0);
}

TEST(Client, GivesUpWaitingAfterTheTimeGiven) {
  const ScriptedServer server([](const std::string&, int) {
    wire::Run run = finished_run();
    run.state = RunState::queued;
    return http_answer(200, wire::encode(run));
  });
  const auto run = client_for(server).wait_for_run(7, 0s);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, Errc::timed_out);
}

TEST(Client, ServesSeveralThreadsAtOnce) {
  const ScriptedServer server([](const std::string&, int) { return http_answer(200, wire::encode(finished_run())); });
  Client client = client_for(server);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 10; ++j) EXPECT_TRUE(client.run(7));
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(server.requests().size(), 40U);
}

TEST(Client, RefusesUrlsItCannotUse) {
  for (const char* bad :
       {"", "localhost:8080", "ftp://x", "http://", "file:///etc/passwd", "http://a b", "http://u@h", "http://h?x=1"}) {
    const auto client = Client::create({.server = bad});
    ASSERT_FALSE(client) << bad;
    EXPECT_EQ(client.error().code, Errc::invalid);
  }
  EXPECT_EQ(Client::create({.server = "http://h:1/"}).value().server(), "http://h:1");
}

}  // namespace client_test
}  // namespace kernelgate

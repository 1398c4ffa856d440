// SPDX-License-Identifier: Apache-2.0
#include "runner/daemon/session.hpp"

#include <gmock/gmock.h>

#include <atomic>

#include "core/wire/codec.hpp"
#include "core/wire/profiles.hpp"
#include "runner/daemon/profile_task.hpp"
#include "tests/support/scripted_server.hpp"

namespace kernelgate {
namespace session_test {

using testing::HasSubstr;
using testing::StartsWith;
using namespace std::chrono_literals;

constexpr const char* kLease = "secret-lease";

bool asks(const std::string& request, const std::string& what) {
  return request.find("/runner/runs/7/" + what + " ") != std::string::npos;
}

std::string good_answer(const std::string& request) {
  if (asks(request, "heartbeat")) return http_answer(200, wire::encode(wire::HeartbeatReply{}));
  if (asks(request, "processes")) return http_answer(200, wire::encode(wire::UploadReply{1}));
  if (asks(request, "resolved")) return http_answer(200, wire::encode(wire::ResolvedReply{}));
  if (asks(request, "finish")) {
    wire::FinishReply reply;
    reply.decision.conclusion = Conclusion::passed;
    return http_answer(200, wire::encode(reply));
  }
  return http_answer(200, "{}");
}

class SessionTest : public testing::Test {
 protected:
  std::unique_ptr<JobSession> open(const ScriptedServer& server, JobSession::Pace pace) {
    std::stop_source stop;
    ClientOptions options{.server = server.url(), .token = ""};
    options.stop = stop.get_token();
    options.retry_for = pace.away_max;
    options.first_pause = 10ms;
    options.pause_max = 50ms;
    auto client = Client::create(options);
    wire::Claim claim;
    claim.run = 7;
    claim.lease = kLease;
    return std::make_unique<JobSession>(std::move(*client), claim, pace, stop, outer_.get_token());
  }

  static int count(const ScriptedServer& server, const std::string& what) {
    int out = 0;
    for (const auto& request : server.requests()) out += asks(request, what) ? 1 : 0;
    return out;
  }

  static Process process(const std::string& id) {
    Process out;
    out.id = id;
    out.suite = "gemm";
    out.state_json = "{}";
    return out;
  }

  std::stop_source outer_;
};

TEST_F(SessionTest, UploadsEverythingBeforeItFinishes) {
  ScriptedServer server([](const std::string& request, int) { return good_answer(request); });
  auto session = open(server, {50ms, 10s});
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(session->process(process(std::to_string(i))));
  ASSERT_TRUE(session->log("build-head", "made"));
  const auto reply = session->finish(JobResult{});
  ASSERT_TRUE(reply) << to_string(reply.error());
  EXPECT_EQ(reply->decision.conclusion, Conclusion::passed);
  EXPECT_EQ(count(server, "processes"), 20);
  EXPECT_EQ(count(server, "logs"), 1);
  EXPECT_GE(count(server, "heartbeat"), 1);
}

// Refused for its size the run would be measured five times, and nobody be to blame.
TEST_F(SessionTest, AnEndOfAnyLengthCanBeUploaded) {
  ScriptedServer server([](const std::string& request, int) { return good_answer(request); });
  auto session = open(server, {50ms, 10s});
  JobResult result;
  result.evidence.suites.resize(4);
  for (SuiteEvidence& suite : result.evidence.suites)
    for (int i = 0; i < limits::kBenchmarksPerSuiteMax; ++i)
      suite.head_benchmarks.push_back(std::to_string(i) + std::string(500, '\x01'));  // six bytes each
  ASSERT_TRUE(session->finish(result));
  for (const auto& request : server.requests())
    if (asks(request, "finish")) EXPECT_LE(request.size(), limits::kRequestBodyMax.value);
  EXPECT_EQ(count(server, "finish"), 1);
}

TEST_F(SessionTest, AServerThatComesBackLosesNothing) {
  std::atomic<int> refused{0};
  ScriptedServer server([&refused](const std::string& request, int) {
    if (asks(request, "processes") && refused++ < 5) return std::string();
    return good_answer(request);
  });
  auto session = open(server, {50ms, 20s});
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(session->process(process(std::to_string(i))));
  const auto reply = session->finish(JobResult{});
  ASSERT_TRUE(reply) << to_string(reply.error());
  EXPECT_EQ(count(server, "processes"), 8);
}

TEST_F(SessionTest, ALostLeaseStopsTheJob) {
  ScriptedServer server([](const std::string& request, int) {
    if (asks(request, "heartbeat"))
      return http_answer(409, R"({"status":409,"code":"conflict","detail":"the lease is not yours"})");
    return good_answer(request);
  });
  auto session = open(server, {50ms, 10s});
  while (!session->stop().stop_requested()) std::this_thread::sleep_for(5ms);
  EXPECT_EQ(session->end(), SessionEnd::lost);
  EXPECT_FALSE(session->state(RunState::measuring, "x"));
  EXPECT_FALSE(session->process(process("a")));
  EXPECT_FALSE(session->finish(JobResult{}));
}

TEST_F(SessionTest, ACancelStopsTheJob) {
  ScriptedServer server([](const std::string& request, int) {
    if (asks(request, "heartbeat")) {
      wire::HeartbeatReply reply;
      reply.cancel = true;
      return http_answer(200, wire::encode(reply));
    }
    return good_answer(request);
  });
  auto session = open(server, {50ms, 10s});
  while (!session->stop().stop_requested()) std::this_thread::sleep_for(5ms);
  EXPECT_EQ(session->end(), SessionEnd::cancelled);
}

TEST_F(SessionTest, AServerAwayForTooLongStopsTheJob) {
  ScriptedServer server([](const std::string&, int) { return std::string(); });
  auto session = open(server, {20ms, 200ms});
  ASSERT_TRUE(session->process(process("a")));
  while (!session->stop().stop_requested()) std::this_thread::sleep_for(5ms);
  EXPECT_EQ(session->end(), SessionEnd::server_away);
}

TEST_F(SessionTest, AStoppingRunnerGivesTheJobBack) {
  ScriptedServer server([](const std::string& request, int) { return good_answer(request); });
  auto session = open(server, {50ms, 10s});
  outer_.request_stop();
  EXPECT_TRUE(session->stop().stop_requested());
  EXPECT_FALSE(session->finish(JobResult{}));
  auto release_client = Client::create({.server = server.url(), .token = ""});
  EXPECT_TRUE(session->release(*release_client, "the runner is stopping"));
  ASSERT_EQ(count(server, "release"), 1);
  EXPECT_THAT(server.requests().back(), HasSubstr(kLease));
}

TEST_F(SessionTest, TheServerMayKnowTheAnswer) {
  ScriptedServer server([](const std::string& request, int) {
    if (!asks(request, "resolved")) return good_answer(request);
    wire::ResolvedReply reply;
    reply.reused_from = 3;
    return http_answer(200, wire::encode(reply));
  });
  auto session = open(server, {50ms, 10s});
  const auto reused = session->resolved(wire::Resolved{});
  ASSERT_TRUE(reused) << to_string(reused.error());
  EXPECT_EQ(*reused, std::optional<std::int64_t>(3));
}

// What a server of one waiting profile is told at its end; empty: nothing.
struct TaskOutcome {
  BackgroundTask background_task = BackgroundTask::none;
  wire::ProfileEnd end;
};
TaskOutcome run_background_task(const std::string& claim, int status, const ProfileMaker& make, bool stopping = false) {
  ScriptedServer server([&](const std::string& request, int) {
    const bool asks_for_one = request.find("/runner/profiles/claim") != std::string::npos;
    return asks_for_one ? http_answer(status, claim) : http_answer(204, "");
  });
  ClientOptions options{.server = server.url(), .token = ""};
  options.retry_for = 0ms;
  auto client = Client::create(options);
  std::stop_source stop;
  if (stopping) stop.request_stop();
  TaskOutcome out{.background_task = serve_profile(*client, *client, {}, make, stop.get_token()), .end = {}};
  for (const std::string& request : server.requests())
    if (request.find("/runner/profiles/5/end") != std::string::npos)
      out.end = wire::decode<wire::ProfileEnd>(request.substr(request.find("\r\n\r\n") + 4)).value();
  return out;
}

TEST(ProfileTask, WhatWasMadeAndWhyNotAreSent) {
  wire::ProfileClaim claim;
  claim.profile = 5;
  claim.lease = kLease;
  const std::string waiting = wire::encode(claim);
  const ProfileMaker good = [](const wire::ProfileClaim&) {
    return Result<ProfiledPair>(ProfiledPair{{.benchmark = "b", .kernel = "old", .counters = {}},
                                             {.benchmark = "b", .kernel = "new", .counters = {{"c", 2}}}});
  };
  const ProfileMaker bad = [](const wire::ProfileClaim&) -> Result<ProfiledPair> {
    return fail(Errc::unsupported, "there is no profiler");
  };
  const auto made = run_background_task(waiting, 200, good);
  EXPECT_EQ(made.background_task, BackgroundTask::done);
  EXPECT_EQ(made.end.lease, kLease);
  EXPECT_EQ(made.end.base->kernel, "old");
  EXPECT_EQ(made.end.head->counters.at("c"), 2);
  const auto missing = run_background_task(waiting, 200, bad);
  EXPECT_THAT(missing.end.text, HasSubstr("there is no profiler"));
  EXPECT_FALSE(missing.end.again || missing.end.base);
  EXPECT_TRUE(run_background_task(waiting, 200, bad, true).end.again);
}

TEST(ProfileTask, WhatACommitWroteAtLengthStillArrives) {
  wire::ProfileClaim claim;
  claim.profile = 5;
  claim.lease = kLease;
  const std::string long_name = "void cutlass::gemm<" + std::string(9000, 'x') + ">(int)";
  const auto made = run_background_task(wire::encode(claim), 200, [&](const wire::ProfileClaim&) {
    return Result<ProfiledPair>(ProfiledPair{{.benchmark = "b", .kernel = long_name, .counters = {}},
                                             {.benchmark = "b", .kernel = "new", .counters = {}}});
  });
  EXPECT_THAT(made.end.base->kernel, testing::AllOf(StartsWith("void cutlass::gemm<x"), testing::EndsWith("x>(int)")));
  const auto failed =
      run_background_task(wire::encode(claim), 200, [](const wire::ProfileClaim&) -> Result<ProfiledPair> {
        return fail(Errc::invalid, "does not build: " + std::string(2500, '\xFF'));
      });
  EXPECT_THAT(failed.end.text, StartsWith("does not build: "));
}

TEST(ProfileTask, NoneWaitsAndAnOlderServerKnowsNone) {
  const ProfileMaker never = [](const wire::ProfileClaim&) -> Result<ProfiledPair> {
    return fail(Errc::unsupported, "nobody asked");
  };
  EXPECT_EQ(run_background_task("", 204, never).background_task, BackgroundTask::none);
  EXPECT_EQ(run_background_task("{}", 404, never).background_task, BackgroundTask::refused);
}

}  // namespace session_test
}  // namespace kernelgate

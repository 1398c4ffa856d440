// SPDX-License-Identifier: Apache-2.0
#include "server/forge/outcome.hpp"

#include <gmock/gmock.h>

namespace kernelgate::forge {
namespace outcome_test {

using Kind = Outcome::Kind;
using namespace std::chrono_literals;

const Instant kNow = from_millis(1795257666000);

HttpResponse answer(int status, std::string body = {}, decltype(HttpResponse::headers) headers = {}) {
  return {.status = status, .body = std::move(body), .retry_after = std::nullopt, .headers = std::move(headers)};
}

TEST(Judge, TellsALimitFromARefusal) {
  EXPECT_EQ(judge(answer(201), kNow).kind, Kind::delivered);
  EXPECT_EQ(judge(answer(403, "Resource not accessible by integration"), kNow).kind, Kind::refused);
  EXPECT_EQ(judge(answer(403, "You have exceeded a secondary rate limit"), kNow).kind, Kind::limited);
  EXPECT_EQ(judge(answer(403, {}, {{"x-ratelimit-remaining", "0"}}), kNow).kind, Kind::limited);
  EXPECT_EQ(judge(answer(429), kNow).kind, Kind::limited);
  for (const int status : {301, 400, 401, 404, 410, 422}) EXPECT_EQ(judge(answer(status), kNow).kind, Kind::refused);
  for (const int status : {408, 500, 502, 503, 504}) {
    EXPECT_EQ(judge(answer(status), kNow).kind, Kind::away) << status;
    EXPECT_FALSE(judge(answer(status), kNow).answered) << status;
  }
}

TEST(Judge, WaitsAsLongAsTheForgeAsks) {
  HttpResponse asks = answer(429, {}, {{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "1795257700"}});
  EXPECT_EQ(judge(asks, kNow).until, kNow + 35s);
  asks.retry_after = 7s;
  EXPECT_EQ(judge(asks, kNow).until, kNow + 7s);
  EXPECT_EQ(judge(answer(429), kNow).until, kNow + 60s);
  const auto reset = [](const char* at) {
    return judge(answer(403, {}, {{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", at}}), kNow).until;
  };
  EXPECT_EQ(reset("1"), kNow + 1s);           // our clock is ahead
  EXPECT_EQ(reset("1895257700"), kNow + 2h);  // or far behind
  EXPECT_EQ(reset("soon"), kNow + 60s);
}

TEST(Judge, AnExchangeThatBrokeOffMayHaveBeenHeard) {
  for (const auto& [code, answered] :
       {std::pair(Errc::timed_out, false), std::pair(Errc::io, false), std::pair(Errc::unavailable, true)}) {
    const Outcome outcome = judge(fail(code, "no luck", "https://hooks.example/secret"), kNow);
    EXPECT_EQ(outcome.kind, Kind::away);
    EXPECT_EQ(outcome.answered, answered);
    EXPECT_EQ(outcome.error, "no luck");
  }
  EXPECT_EQ(judge(fail(Errc::forbidden, "no token"), kNow).kind, Kind::refused);
}

TEST(BackOff, DoublesUpToItsMost) {
  EXPECT_EQ(back_off(1, 1000ms, 60s, 0), 500ms);
  EXPECT_EQ(back_off(1, 1000ms, 60s, 0.5), 750ms);
  EXPECT_EQ(back_off(4, 1000ms, 60s, 0), 4000ms);
  EXPECT_EQ(back_off(1000000, 1000ms, 60s, 0), 30s);
}

}  // namespace outcome_test
}  // namespace kernelgate::forge

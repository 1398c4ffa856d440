// SPDX-License-Identifier: Apache-2.0
#include "client/retry.hpp"

#include <gtest/gtest.h>

namespace kernelgate {
namespace retry_test {

HttpResponse answer(int status, std::string body = {}) {
  HttpResponse out;
  out.status = status;
  out.body = std::move(body);
  return out;
}

TEST(Refusal, OfAStatusAloneSaysWhatItMeans) {
  const std::pair<int, Errc> wanted[] = {{300, Errc::invalid},     {400, Errc::invalid},     {401, Errc::unauthorized},
                                         {403, Errc::forbidden},   {404, Errc::not_found},   {409, Errc::conflict},
                                         {413, Errc::too_large},   {429, Errc::too_many},    {499, Errc::invalid},
                                         {500, Errc::unavailable}, {503, Errc::unavailable}, {599, Errc::unavailable}};
  for (const auto& [status, code] : wanted)
    for (const char* body : {"", "<html>proxy</html>", "null", "[]", "{\"title\":5}"}) {
      const Error error = refusal(answer(status, body), "http://h/x");
      EXPECT_EQ(error.code, code) << status << body;
      EXPECT_EQ(error.what, "the server answered " + std::to_string(status));
      EXPECT_EQ(error.where, "http://h/x");
      EXPECT_EQ(error.fix, "");
    }
}

TEST(Refusal, OfAProblemIsInItsOwnWords) {
  for (const char* code : {"invalid", "not_found", "conflict", "unauthorized", "forbidden", "too_large", "too_many",
                           "unavailable", "timed_out", "io", "corrupt", "unsupported"}) {
    const std::string body = R"({"type":"about:blank","title":"Bad","status":400,"detail":"no such run","code":")" +
                             std::string(code) + R"(","where":"/run","fix":"give another"})";
    const Error error = refusal(answer(418, body), "http://h/x");
    EXPECT_EQ(to_string(error.code), code);
    EXPECT_EQ(to_string(error), "http://h/x: /run: no such run (give another)");
  }
}

TEST(Refusal, OfAnUnknownCodeKeepsThatOfTheStatus) {
  const Error error = refusal(answer(409, R"({"title":"Taken","status":409,"code":"of_a_later_version"})"), "u");
  EXPECT_EQ(error.code, Errc::conflict);
  EXPECT_EQ(error.what, "Taken");
}

TEST(IsAway, WhatMayPassByItself) {
  for (const Errc code : {Errc::unavailable, Errc::timed_out, Errc::too_many, Errc::io})
    EXPECT_TRUE(is_away({code, "", "", ""})) << to_string(code);
  for (const Errc code : {Errc::invalid, Errc::not_found, Errc::conflict, Errc::unauthorized, Errc::forbidden,
                          Errc::too_large, Errc::corrupt, Errc::unsupported})
    EXPECT_FALSE(is_away({code, "", "", ""})) << to_string(code);
}

TEST(Pause, EndsAtOnceWhereAStopIsAskedFor) {
  std::stop_source source;
  EXPECT_TRUE(pause(std::chrono::milliseconds(0), source.get_token()));
  source.request_stop();
  EXPECT_FALSE(pause(std::chrono::hours(1), source.get_token()));
}

}  // namespace retry_test
}  // namespace kernelgate

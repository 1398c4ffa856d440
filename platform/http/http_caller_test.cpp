// SPDX-License-Identifier: Apache-2.0
#include "platform/http/http_caller.hpp"

#include <gmock/gmock.h>

#include "tests/support/scripted_server.hpp"

namespace kernelgate {
namespace http_caller_test {

using testing::HasSubstr;

TEST(HttpCaller, SendsItsHeadersAndGivesTheAnswersBack) {
  ScriptedServer server([](const std::string&, int) {
    return http_answer(403, "{}", "X-RateLimit-Remaining:  0\r\nRetry-After: 7\r\n");
  });
  HttpCaller caller;
  const auto answer = caller.call({.method = "PATCH",
                                   .url = server.url() + "/repos",
                                   .body = "{\"a\":1}",
                                   .token = "t0ken",
                                   .accept = "application/vnd.github+json",
                                   .headers = {{"X-GitHub-Api-Version", "2022-11-28"}}},
                                  {});
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_EQ(answer->status, 403);
  EXPECT_EQ(answer->header("x-ratelimit-remaining"), "0");
  EXPECT_EQ(answer->header("absent"), "");
  EXPECT_EQ(answer->retry_after, std::chrono::seconds(7));
  const std::string sent = server.requests().at(0);
  EXPECT_THAT(sent, HasSubstr("PATCH /repos HTTP/1.1\r\n"));
  EXPECT_THAT(sent, HasSubstr("Accept: application/vnd.github+json\r\n"));
  EXPECT_THAT(sent, HasSubstr("X-GitHub-Api-Version: 2022-11-28\r\n"));
  EXPECT_THAT(sent, HasSubstr("Authorization: Bearer t0ken\r\n"));
  EXPECT_THAT(sent, HasSubstr("{\"a\":1}"));
}

}  // namespace http_caller_test
}  // namespace kernelgate

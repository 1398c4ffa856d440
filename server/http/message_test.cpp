// SPDX-License-Identifier: Apache-2.0
#include "server/http/message.hpp"

#include <gtest/gtest.h>

namespace kernelgate::http {
namespace message_test {

TEST(Message, AnEntityTagIsKnownWeakOrStrongAndInALine) {
  struct Case {
    const char *asked, *etag;
    bool want;
  };
  const Case cases[] = {
      {"\"a\"", "\"a\"", true},   {"W/\"a\"", "\"a\"", true},
      {"\"a\"", "W/\"a\"", true}, {"\"b\", W/\"a\" ", "\"a\"", true},
      {"*", "\"a\"", true},       {"", "\"a\"", false},
      {"\"b\"", "\"a\"", false},  {"a", "\"a\"", false},
      {",,", "\"a\"", false},     {"W/", "\"a\"", false},
  };
  for (const Case& one : cases) {
    Request request;
    if (*one.asked != '\0') request.headers = {{"if-none-match", one.asked}};
    EXPECT_EQ(request.knows(one.etag), one.want) << one.asked;
  }
}

}  // namespace message_test
}  // namespace kernelgate::http

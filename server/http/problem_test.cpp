// SPDX-License-Identifier: Apache-2.0
#include "server/http/problem.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kernelgate::http {
namespace {

TEST(Problem, CarriesCodeWhereAndFix) {
  const Response out = problem(Error{Errc::conflict, "the lease is lost", "run 7", "stop measuring"});
  EXPECT_EQ(out.status, 409);
  EXPECT_EQ(out.content_type, "application/problem+json");
  const auto body = nlohmann::json::parse(out.body);
  EXPECT_EQ(body["status"], 409);
  EXPECT_EQ(body["title"], "Conflict");
  EXPECT_EQ(body["detail"], "the lease is lost");
  EXPECT_EQ(body["code"], "conflict");
  EXPECT_EQ(body["where"], "run 7");
  EXPECT_EQ(body["fix"], "stop measuring");
}

TEST(Problem, ForeignBytesAreReplacedNotThrown) {
  const Response out = problem(Error{Errc::invalid, "bad \xff byte", "", ""});
  EXPECT_NE(out.body.find("\xEF\xBF\xBD"), std::string::npos);
}

TEST(Problem, UnauthorizedNamesTheScheme) {
  const Response out = problem(Error{Errc::unauthorized, "no token", "", ""});
  ASSERT_EQ(out.headers.size(), 1U);
  EXPECT_EQ(out.headers[0].first, "WWW-Authenticate");
}

}  // namespace
}  // namespace kernelgate::http

// SPDX-License-Identifier: Apache-2.0
#include "server/http/problem.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kernelgate::http {
namespace problem_test {

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

TEST(Problem, EachSaysHowToFixIt) {
  for (const int status : {400, 401, 403, 404, 405, 408, 409, 413, 414, 415, 422, 429, 431, 500, 501, 503, 504}) {
    const auto body = nlohmann::json::parse(problem(status, "code", Error{Errc::io, "what", "", ""}).body);
    EXPECT_GT(body["fix"].get<std::string>().size(), 20U) << status;
  }
  const auto lost = nlohmann::json::parse(problem(Error{Errc::not_found, "no run 7", "run", ""}).body);
  EXPECT_NE(lost["fix"].get<std::string>().find("list"), std::string::npos);
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

}  // namespace problem_test
}  // namespace kernelgate::http

// SPDX-License-Identifier: Apache-2.0
#include "server/http/route.hpp"

#include <gtest/gtest.h>

namespace kernelgate::http {
namespace route_test {

constexpr Route kRoutes[] = {
    {Method::get, "/", Access::open},          {Method::get, "/runs", Access::read},
    {Method::get, "/runs/{id}", Access::read}, {Method::post, "/runs/{id}/cancel", Access::trigger},
    {Method::post, "/runs", Access::admin},    {Method::get, "/badge/{name}.svg", Access::badge},
};

Match find(Method method, const char* path) { return match(kRoutes, method, *parse_target(path)); }

TEST(Route, FindsByMethodAndSegments) {
  EXPECT_EQ(find(Method::get, "/").route, 0U);
  EXPECT_EQ(find(Method::get, "/runs").route, 1U);
  EXPECT_EQ(find(Method::post, "/runs").route, 4U);
  const Match one = find(Method::get, "/runs/a%2Fb");
  EXPECT_EQ(one.route, 2U);
  EXPECT_EQ(one.parameters, (Pairs{{"id", "a/b"}}));
  EXPECT_EQ(find(Method::post, "/runs/7/cancel").route, 3U);
}

TEST(Route, AParameterMayHaveAnEnding) {
  const Match badge = find(Method::get, "/badge/a%2Fb.svg");
  EXPECT_EQ(badge.route, 5U);
  EXPECT_EQ(badge.parameters, (Pairs{{"name", "a/b"}}));
  for (const char* path : {"/badge/a", "/badge/.svg", "/badge/a.svg.png", "/badge/a.svg/b"})
    EXPECT_FALSE(find(Method::get, path).route) << path;
}

TEST(Route, HeadIsAnsweredWhereGetIs) {
  EXPECT_EQ(find(Method::head, "/runs/7").route, 2U);
  EXPECT_FALSE(find(Method::head, "/runs/7/cancel").route);
}

TEST(Route, AnUnknownPathAndAnUnknownMethodDiffer) {
  EXPECT_EQ(find(Method::get, "/nowhere").allow, "");
  EXPECT_EQ(find(Method::get, "/runs/").allow, "");
  EXPECT_EQ(find(Method::get, "/runs//cancel").allow, "");
  EXPECT_EQ(find(Method::put, "/runs").allow, "GET, HEAD, POST");
  EXPECT_EQ(find(Method::get, "/runs/7/cancel").allow, "POST");
}

TEST(Admit, TellsAnonymousFromTheWrongRole) {
  const Identity nobody;
  const Identity reader{.role = Role::read, .token = {}, .name = "r"};
  const Identity admin{.role = Role::admin, .token = {}, .name = "a"};
  EXPECT_TRUE(admit(Access::open, nobody));
  EXPECT_EQ(admit(Access::read, nobody).error().code, Errc::unauthorized);
  EXPECT_TRUE(admit(Access::read, reader));
  EXPECT_EQ(admit(Access::runner, reader).error().code, Errc::forbidden);
  EXPECT_TRUE(admit(Access::runner, admin));
}

}  // namespace route_test
}  // namespace kernelgate::http

// SPDX-License-Identifier: Apache-2.0
// Plots as images.
#include <gmock/gmock.h>

#include "tests/support/api_fixture.hpp"

namespace kernelgate::api {
namespace api_plots_test {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kHistory = "/plot/history.svg?repository=kernels&suite=gemm&benchmark=gemm%2F64";

class ApiPlots : public ApiFixture {
 protected:
  void judged() {
    add_repository();
    (void)trigger('a');
    const nlohmann::json held = claim();
    EXPECT_EQ(resolve(held, '1').status, 200);
    EXPECT_EQ(finish(held, first_push()).status, 200);
  }
};

TEST_F(ApiPlots, ARunIsAnImageThatIsKeptOnceItIsFinished) {
  add_repository();
  (void)trigger('a');
  EXPECT_EQ(ask("badge", "GET", "/plot/runs/1.svg").headers.at("cache-control"), "private, max-age=60");
  const nlohmann::json held = claim();
  EXPECT_EQ(resolve(held, '1').status, 200);
  EXPECT_EQ(finish(held, first_push()).status, 200);
  const Reply plot = ask("badge", "GET", "/plot/runs/1.svg");
  EXPECT_EQ(plot.status, 200);
  EXPECT_EQ(plot.headers.at("content-type"), "image/svg+xml");
  EXPECT_EQ(plot.headers.at("cache-control"), "private, max-age=3600");
  EXPECT_EQ(plot.headers.at("cross-origin-resource-policy"), "cross-origin");
  EXPECT_THAT(plot.headers.at("content-security-policy"), HasSubstr("default-src 'none'; style-src 'sha256-"));
  EXPECT_THAT(plot.headers.at("content-security-policy"), Not(HasSubstr("unsafe")));
  EXPECT_THAT(plot.body.get<std::string>(), HasSubstr("kernels: aaaaaaaaaa passed"));
  const std::string known = "If-None-Match: " + plot.headers.at("etag") + "\r\n";
  EXPECT_EQ(send(bearer("badge") + known, "GET", "/plot/runs/1.svg").status, 304);
  EXPECT_NE(ask("badge", "GET", "/plot/runs/1.svg?theme=dark").body, plot.body);
  EXPECT_EQ(ask("badge", "GET", "/plot/runs/1.svg?theme=sepia").status, 400);
  EXPECT_EQ(ask("badge", "GET", "/plot/runs/x.svg").status, 404);
}

TEST_F(ApiPlots, AHistoryIsAnImageEvenBeforeItsFirstPoint) {
  judged();
  const Reply plot = ask("badge", "GET", kHistory);
  EXPECT_EQ(plot.status, 200);
  EXPECT_EQ(plot.headers.at("cache-control"), "private, max-age=60");
  EXPECT_THAT(plot.body.get<std::string>(), HasSubstr("<title>gemm/gemm/64: not measured yet</title>"));
  EXPECT_EQ(ask("badge", "GET", std::string(kHistory) + "&limit=0").status, 400);
  EXPECT_EQ(ask("badge", "GET", "/plot/history.svg?repository=none&suite=s&benchmark=b").status, 404);
  EXPECT_EQ(ask("badge", "GET", "/plot/history.svg?repository=kernels").status, 400);
}

TEST_F(ApiPlots, WhatAsksForOneIsShownAsText) {
  judged();
  const std::string svg =
      ask("badge", "GET", "/plot/history.svg?repository=kernels&suite=%3Cscript%3E%22%1b%01&benchmark=b")
          .body.get<std::string>();
  EXPECT_THAT(svg, HasSubstr("&lt;script&gt;&quot;"));
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
  EXPECT_EQ(svg.find('\x1b'), std::string::npos);
  EXPECT_EQ(svg.find('\x01'), std::string::npos);
}

TEST_F(ApiPlots, ATokenInTheUrlIsOneOfBadges) {
  judged();
  EXPECT_EQ(ask("", "GET", "/plot/runs/1.svg?token=kg_badge").status, 200);
  EXPECT_EQ(ask("", "GET", "/plot/runs/1.svg?token=kg_admin").status, 403);
  EXPECT_EQ(ask("", "GET", "/plot/runs/1.svg").status, 401);
}

}  // namespace api_plots_test
}  // namespace kernelgate::api
